import type { Kysely } from 'kysely';

/** Where the other servers reach each server. */
export const nodeAddress = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('nodes')
      .addColumn('address', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};
