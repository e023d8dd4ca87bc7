import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createDatabase, dropDatabase } from './databases.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server of this run, and the migrated database from which test databases are copied. */
    postgres: { readonly url: string; readonly template: string };
  }
}

// Threads and pages are the compiled ones, which must be those of the sources under test.
const build = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url));

/** Builds what has changed, starts PostgreSQL for the run (or uses TEST_DATABASE_URL) and stops it afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' });
  const given = process.env.TEST_DATABASE_URL;
  const server = given === undefined ? await startPostgres() : null;
  const url = given ?? server?.url ?? '';
  try {
    const template = await createDatabase(url);
    const store = await openPostgresStore(template.url);
    await store.close();
    project.provide('postgres', { url, template: template.name });
    return async () => {
      if (server === null) await dropDatabase(url, template.name);
      await server?.dispose();
    };
  } catch (error) {
    await server?.dispose();
    throw error;
  }
}
