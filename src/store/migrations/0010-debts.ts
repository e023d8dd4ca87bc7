import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/**
 * `settlements`: which sends without an idempotency key were counted, so that none is counted twice when the answer of a commit was lost.
 * `debts`: what could not be written when it was due and is tried again until it succeeds.
 */
export function debts(dialect: Dialect) {
  const sequence = sql.raw(dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('settlements')
        .addColumn('id', sequence)
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('requests', 'text', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('debts')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('payload', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('next_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('debts_next').on('debts').column('next_at').execute();
    },
  };
}
