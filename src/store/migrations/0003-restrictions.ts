import type { Kysely } from 'kysely';

/** What a network has told of limits it put on a number, kept so that a restart does not forget it. */
export const restrictions = {
  async up(db: Kysely<unknown>): Promise<void> {
    // One column each: SQLite adds no more at once.
    await db.schema.alterTable('instances').addColumn('restriction_reason', 'text').execute();
    await db.schema.alterTable('instances').addColumn('restriction_until', 'bigint').execute();
  },
};
