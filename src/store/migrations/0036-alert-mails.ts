import type { Kysely } from 'kysely';

/** Mail addresses that must confirm first that they want alerts, and how many mails went out on behalf of whom in an hour. */
export const alertMails = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('alert_targets').addColumn('confirm_by', 'bigint').execute();
    await db.schema
      .createTable('alert_mails')
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('sent', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('alert_mails_pk', ['owner', 'hour'])
      .execute();
  },
};
