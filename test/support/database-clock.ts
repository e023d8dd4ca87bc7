import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../src/core/index.ts';
import type { Database, Store } from '../../src/store/index.ts';

/**
 * Sets the clock of a test's PostgreSQL database, for every session, open ones included: `aheadMs` ahead of the machine's (negative: behind), or
 * standing `at` this time (epoch milliseconds). The database must come from `createDatabase`.
 */
export async function setDatabaseClock(db: Kysely<Database>, to: { readonly aheadMs: number } | { readonly at: number }): Promise<void> {
  const time =
    'at' in to ? `to_timestamp(${to.at}::numeric / 1000)` : `pg_catalog.clock_timestamp() + interval '${to.aheadMs} milliseconds'`;
  await sql`create or replace function public.clock_timestamp() returns timestamptz language sql volatile
    as ${sql.lit(`select ${time}`)}`.execute(db);
}

/** Sets PostgreSQL's clock by this one, from which time it runs on by itself. The embedded store has none. */
export async function followClock({ db, dialect }: Pick<Store, 'db' | 'dialect'>, clock: Pick<Clock, 'now'>): Promise<void> {
  if (dialect === 'postgres') await setDatabaseClock(db, { aheadMs: clock.now() - Date.now() });
}
