import { type Kysely, sql } from 'kysely';

/**
 * The order in which a target is told: a position that the database assigns, because ids and times come from the clocks of several servers. What is
 * there already has position 0, among which ids decide as before.
 */
export const alertOrder = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['alert_notices', 'alert_deliveries'])
      await db.schema
        .alterTable(table)
        .addColumn('position', 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
    await db.schema.dropIndex('alert_deliveries_target').execute();
    await db.schema.dropIndex('alert_deliveries_waiting').execute();
    const columns = ['target_id', 'position', 'id'];
    await db.schema.createIndex('alert_deliveries_target').on('alert_deliveries').columns(columns).execute();
    await db.schema
      .createIndex('alert_deliveries_waiting')
      .on('alert_deliveries')
      .columns(columns)
      .where(sql<boolean>`state = 'waiting'`)
      .execute();
  },
};
