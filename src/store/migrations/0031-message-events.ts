import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** What became of messages, for the webhooks that are told of it (alerts/message-events). Rows are in the order in which they are told. */
export function messageEvents(dialect: Dialect) {
  const sequence = sql.raw(dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key');

  return {
    additive: true as const,

    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .alterTable('alert_targets')
        .addColumn('events', 'text', (c) => c.notNull().defaultTo('[]'))
        .execute();
      await db.schema
        .createTable('message_events')
        .addColumn('id', sequence)
        .addColumn('target_id', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('instance_id', 'text', (c) => c.notNull())
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('noted_at', 'bigint', (c) => c.notNull())
        .addColumn('told', 'integer', (c) => c.notNull())
        .execute();
      // A target is told of each once, however many devices of a recipient say it, and however often the network repeats it.
      await db.schema
        .createIndex('message_events_message')
        .unique()
        .on('message_events')
        .columns(['instance_id', 'message_id', 'event', 'target_id'])
        .execute();
      await db.schema
        .createIndex('message_events_waiting')
        .on('message_events')
        .columns(['target_id', 'id'])
        .where(sql<boolean>`told = 0`)
        .execute();
    },
  };
}
