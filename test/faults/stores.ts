import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TestServer } from '../support/postgres.ts';
import { createTestDatabase, databaseAt, type StoreKind, type TestDatabase } from '../support/stores.ts';

/** A database and the settings with which a server process uses it. */
export interface Ground {
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/** A fresh database of this kind for server processes. */
export async function createGround(kind: StoreKind): Promise<Ground> {
  return groundOn(kind, await createTestDatabase(kind));
}

/** A fresh database on a PostgreSQL server of its own, which can be killed and stopped. */
export async function createOwnServer(): Promise<Ground & { readonly server: TestServer }> {
  const server = await startPostgres();
  const database = databaseAt('postgres', { location: server.url, remove: () => server.dispose() });
  return { ...groundOn('postgres', database), server };
}

function groundOn(kind: StoreKind, database: TestDatabase): Ground {
  const own = kind === 'sqlite' ? null : mkdtempSync(join(tmpdir(), 'gateway-data-'));
  return {
    database,
    env: { DATA_DIR: own ?? database.location, LOG_LEVEL: 'error', ...(own === null ? {} : { DATABASE_URL: database.location }) },
    async dispose() {
      await database.dispose();
      if (own !== null) rmSync(own, { recursive: true, force: true });
    },
  };
}
