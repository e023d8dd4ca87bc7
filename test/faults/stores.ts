import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TestServer } from '../support/postgres.ts';
import { createTestDatabase, databaseAt, type StoreKind, type TestDatabase } from '../support/stores.ts';
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts';

/** A database and the settings with which a server process uses it. */
export interface Ground {
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a server process with these settings and further ones. */
  start(settings?: Readonly<Record<string, string>>, options?: ServerOptions): ServerProcess;
  /** Kills the server processes that still run, and removes the database. */
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
  const env = { DATA_DIR: own ?? database.location, LOG_LEVEL: 'error', ...(own === null ? {} : { DATABASE_URL: database.location }) };
  const servers: ServerProcess[] = [];
  return {
    database,
    env,
    start(settings = {}, options = {}) {
      const server = startServer({ ...env, ...settings }, options);
      servers.push(server);
      return server;
    },
    async dispose() {
      await Promise.all(servers.map((server) => server.kill()));
      await database.dispose();
      if (own !== null) rmSync(own, { recursive: true, force: true });
    },
  };
}
