import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** Who changed what, and when: one row per change of an account, plan, provider, key, number or user. */
export function auditLog(dialect: Dialect) {
  const sequence = sql.raw(dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('audit_log')
        .addColumn('id', sequence)
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('actor_kind', 'text', (c) => c.notNull())
        .addColumn('actor_id', 'text')
        .addColumn('actor_name', 'text')
        .addColumn('action', 'text', (c) => c.notNull())
        .addColumn('target_kind', 'text', (c) => c.notNull())
        .addColumn('target_id', 'text', (c) => c.notNull())
        // Not references: the log outlives what it tells of.
        .addColumn('account_id', 'text')
        .addColumn('provider_id', 'text')
        .addColumn('details', 'text', (c) => c.notNull())
        .execute();
      // Newest first over everything needs no index of its own: ids grow.
      await db.schema.createIndex('audit_log_account').on('audit_log').columns(['account_id', 'id']).execute();
      await db.schema.createIndex('audit_log_provider').on('audit_log').columns(['provider_id', 'id']).execute();
    },
  };
}
