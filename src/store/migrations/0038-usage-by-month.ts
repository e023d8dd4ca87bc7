import { type Kysely, sql } from 'kysely';

/** Usage by month is counted where usage by day is; it was added up afterwards. */
export const usageByMonth = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('usage_sends_by_month')
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('month', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_sends_by_month_pk', ['account_id', 'month', 'type'])
      .execute();
    await db.schema
      .createTable('usage_number_days_by_month')
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('month', 'text', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_number_days_by_month_pk', ['account_id', 'month'])
      .execute();
    await sql`
      insert into usage_sends_by_month (account_id, month, type, count)
      select account_id, substr(day, 1, 7), type, sum(count) from usage_sends group by 1, 2, 3`.execute(db);
    await sql`
      insert into usage_number_days_by_month (account_id, month, count)
      select account_id, substr(day, 1, 7), count(*) from usage_number_days group by 1, 2`.execute(db);
    await db.schema.dropTable('usage_sums').execute();
    await sql`delete from meta where name = 'usage_summed_to'`.execute(db);
  },
};
