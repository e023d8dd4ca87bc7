import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type StoreKind, type TestDatabase } from '../support/stores.ts';

/** A database and the settings with which a server process uses it. */
export interface Ground {
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/** A fresh database of this kind for server processes. */
export async function createGround(kind: StoreKind): Promise<Ground> {
  const database = await createTestDatabase(kind);
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
