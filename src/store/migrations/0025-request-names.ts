import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/**
 * `request_names`: where in the request log a recipient, a message or a failure is (store/request-names). `send_outcomes`: how many sends of an
 * account ended how in each of the last hours. Both are made from the log after it is written, a few thousand requests at a time.
 */
export function requestNames(dialect: Dialect) {
  const bytes = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');
  // SQLite keeps the rows in the order of such a key, so that the rows of one bucket are beside each other.
  const key = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint');

  return {
    additive: true as const,

    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('request_names')
        .addColumn('id', key, (c) => c.primaryKey().notNull())
        .addColumn('last_segment', 'bigint', (c) => c.notNull())
        .addColumn('entries', bytes, (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('send_outcomes')
        .addColumn('hour', 'integer', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('code', 'text', (c) => c.notNull())
        .addColumn('count', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('send_outcomes_pk', ['hour', 'account_id', 'code'])
        .execute();
    },
  };
}
