import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { setDatabaseClock } from '../database-clock.ts';
import { createDatabase, dropDatabase } from '../databases.ts';
import { startPostgres } from '../postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server of this run, and the migrated database from which test databases are copied. */
    postgres: { readonly url: string; readonly template: string };
  }
}

/** Starts PostgreSQL for the run (or uses TEST_DATABASE_URL) and stops it afterwards; the first project that needs it starts it for all. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('postgres' in vitest.getRootProject().getProvidedContext()) return undefined;
  const given = process.env.TEST_DATABASE_URL;
  const server = given === undefined ? await startPostgres() : null;
  const url = given ?? server?.url ?? '';
  try {
    const template = await createDatabase(url);
    const store = await openPostgresStore(template.url);
    await store.migrate();
    // There from the start, because statements that are prepared already would not notice that it comes.
    await setDatabaseClock(store.db, { aheadMs: 0 });
    await store.close();
    vitest.provide('postgres', { url, template: template.name });
    return async () => {
      if (server === null) await dropDatabase(url, template.name);
      await server?.dispose();
    };
  } catch (error) {
    await server?.dispose();
    throw error;
  }
}
