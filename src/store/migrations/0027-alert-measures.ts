import type { Kysely } from 'kysely';

/** What servers measured of themselves and of the installation that somebody is to be told of (alerts/machine). */
export const alertMeasures = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('alert_measures')
      .addColumn('condition', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('alert_measures_pk', ['condition', 'subject'])
      .execute();
  },
};
