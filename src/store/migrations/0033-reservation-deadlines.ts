import type { Kysely } from 'kysely';

/** Until when a unit of a trial stays reserved for a send whose server is gone (epoch milliseconds, of the database where that has a time of its own). */
export const reservationDeadlines = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('trial_reservations')
      .addColumn('deadline', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
