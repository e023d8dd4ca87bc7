import { type Kysely, sql } from 'kysely';

/**
 * Which server owns which number (`nodes`, `leases`), and whose claims and reservations are still under way. Times in these columns are the
 * database's own. The embedded store has one server only and uses none of this.
 */
export const leases = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('nodes')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('draining', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('leases')
      .addColumn('instance_id', 'text', (c) => c.primaryKey().notNull().references('instances.id').onDelete('cascade'))
      .addColumn('node_id', 'text', (c) => c.references('nodes.id').onDelete('set null'))
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull().defaultTo('close'))
      .execute();
    await db.schema.createIndex('leases_node').on('leases').column('node_id').execute();
    await db.schema.createIndex('leases_free').on('leases').column('instance_id').where(sql.ref('node_id'), 'is', null).execute();
    await db.schema
      .alterTable('claims')
      .addColumn('node', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
    await db.schema
      .alterTable('claims')
      .addColumn('deadline', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('trial_reservations')
      .addColumn('node', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};
