import type { Kysely } from 'kysely';

/**
 * What each account used in a month, up to a day. Servers of the release before work on beside it: they read days alone, and what
 * they write late is in the sums within a day, because those of this month and the one before are made anew every day.
 */
export const usageSums = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('usage_sums')
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('month', 'text', (c) => c.notNull())
      .addColumn('through', 'text', (c) => c.notNull())
      .addColumn('number_days', 'integer', (c) => c.notNull())
      .addColumn('sends', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_sums_pk', ['account_id', 'month'])
      .execute();
  },
};
