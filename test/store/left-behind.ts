import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, type Migration, Migrator, PostgresDialect, SqliteDialect } from 'kysely';
import type { Database } from '../../src/store/index.ts';
import { createPool } from '../../src/store/postgres/connections.ts';
import type { StoreKind } from '../support/stores.ts';

/** Makes an empty database what a version with only these migrations leaves behind. */
export async function leftBehind(
  kind: StoreKind,
  location: string,
  known: Record<string, Migration>,
  fill: (db: Kysely<Database>) => Promise<void>,
): Promise<void> {
  const dialect =
    kind === 'sqlite'
      ? new SqliteDialect({ database: new Sqlite(join(location, 'gateway.db')) })
      : new PostgresDialect({ pool: createPool(location, 1) });
  const db = new Kysely<Database>({ dialect });
  try {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => known } }).migrateToLatest();
    if (error !== undefined) throw error;
    await fill(db);
  } finally {
    await db.destroy();
  }
}
