import type { Kysely } from 'kysely';

/** What each server was started with, so that one that joins can compare. Servers of the release before leave it empty. */
export const nodeSettings = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('nodes')
      .addColumn('settings', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
  },
};
