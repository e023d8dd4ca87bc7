import { type Kysely, sql } from 'kysely';

/** `number_history`: what happened to each number, kept for 90 days. Ids are UUIDv7, so rows are in the order of their time. */
export const numberHistory = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('number_history')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      // No reference to the instance: the history of a deleted number says who deleted it.
      .addColumn('instance_id', 'text', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('detail', 'text')
      .addColumn('note', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('until', 'bigint')
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('actor_kind', 'text')
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text')
      .execute();
    await db.schema.createIndex('number_history_instance').on('number_history').columns(['instance_id', 'at']).execute();
    // The interruptions that last, which are few: they are looked for at every start.
    await db.schema
      .createIndex('number_history_lasting')
      .on('number_history')
      .column('instance_id')
      .where(sql<boolean>`event = 'lost' and ended_at is null`)
      .execute();
  },
};
