import type { Kysely } from 'kysely';

/** What is known of the versions of a network's client that the gateway may say it is: one row per network. */
export const clientVersions = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('client_versions')
      .addColumn('network', 'text', (c) => c.primaryKey())
      .addColumn('fetched', 'bigint')
      .addColumn('fetched_at', 'bigint')
      .addColumn('accepted', 'bigint')
      .addColumn('accepted_at', 'bigint')
      .addColumn('expiring', 'bigint')
      .addColumn('expires_at', 'bigint')
      .execute();
  },
};
