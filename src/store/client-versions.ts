import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** What is known of a network's client versions: the `VersionRecord` of networks/. */
type Versions = Omit<Database['client_versions'], 'network'>;

/** Keeps the client versions of one network, in the one row that all processes of the installation share. */
export function createClientVersions(db: Kysely<Database>, network: string) {
  return {
    async read(): Promise<Versions | null> {
      return (await db.selectFrom('client_versions').selectAll().where('network', '=', network).executeTakeFirst()) ?? null;
    },

    /** Changes these fields and leaves the others. */
    async write(change: Partial<Versions>): Promise<void> {
      await db
        .insertInto('client_versions')
        .values({ network, ...change })
        .onConflict((conflict) => conflict.column('network').doUpdateSet(change))
        .execute();
    },
  };
}
