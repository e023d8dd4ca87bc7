import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** What is known of a network's client versions; the fields are those of `VersionRecord` in networks/. */
interface Versions {
  readonly fetched: number | null;
  readonly fetchedAt: number | null;
  readonly accepted: number | null;
  readonly acceptedAt: number | null;
  readonly expiring: number | null;
  readonly expiresAt: number | null;
}

/** Keeps the client versions of one network, in the one row that all processes of the installation share. */
export function createClientVersions(db: Kysely<Database>, network: string) {
  return {
    async read(): Promise<Versions | null> {
      const row = await db.selectFrom('client_versions').selectAll().where('network', '=', network).executeTakeFirst();
      if (row === undefined) return null;
      const { fetched, fetched_at, accepted, accepted_at, expiring, expires_at } = row;
      return { fetched, fetchedAt: fetched_at, accepted, acceptedAt: accepted_at, expiring, expiresAt: expires_at };
    },

    /** Changes these fields and leaves the others. */
    async write(change: Partial<Versions>): Promise<void> {
      const { fetched, fetchedAt, accepted, acceptedAt, expiring, expiresAt } = change;
      const columns = { fetched, fetched_at: fetchedAt, accepted, accepted_at: acceptedAt, expiring, expires_at: expiresAt };
      // Kysely leaves out of an update what is undefined.
      const insert = Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value ?? null])) as {
        [Column in keyof typeof columns]: number | null;
      };
      await db
        .insertInto('client_versions')
        .values({ network, ...insert })
        .onConflict((conflict) => conflict.column('network').doUpdateSet(columns))
        .execute();
    },
  };
}
