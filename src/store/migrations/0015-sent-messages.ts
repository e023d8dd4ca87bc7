import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** `sent_messages`: sent messages, sealed, until the devices of their recipients have confirmed them. Rows are in the order of their time. */
export function sentMessages(dialect: Dialect) {
  const sequence = sql.raw(dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key');
  const blob = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('sent_messages')
        .addColumn('id', sequence)
        .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id').onDelete('cascade'))
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('sealed', blob, (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('sent_messages_message').unique().on('sent_messages').columns(['instance_id', 'message_id']).execute();
    },
  };
}
