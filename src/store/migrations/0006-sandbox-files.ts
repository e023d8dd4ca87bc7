import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** The files that sandbox contacts received, and with each message what was known of its file. */
export function sandboxFiles(dialect: Dialect) {
  const blob = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('sandbox_messages').addColumn('file', 'text').execute();
      await db.schema
        .createTable('sandbox_files')
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('sha256', 'text', (c) => c.notNull())
        .addColumn('mime_type', 'text', (c) => c.notNull())
        .addColumn('size', 'integer', (c) => c.notNull())
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        // Last, so that SQLite reads the other columns without it.
        .addColumn('bytes', blob, (c) => c.notNull())
        .addPrimaryKeyConstraint('sandbox_files_pk', ['account_id', 'sha256'])
        .execute();
      await db.schema.createIndex('sandbox_files_received').on('sandbox_files').column('received_at').execute();
    },
  };
}
