import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { OperatorError } from '../core/index.ts';
import { firstSchema } from './migrations/0001-first-schema.ts';
import { scanLinks } from './migrations/0002-scan-links.ts';
import { auditNames } from './migrations/0003-audit-names.ts';
import { settlementTimes } from './migrations/0004-settlement-times.ts';
import type { Dialect, SchemaChange, SchemaChanges, SchemaState } from './store.ts';

/** The row in `meta` that names the last change which is not additive: a program must know it to work on the schema. */
const floorName = 'schema_floor';

/** Every change in order. A new one is one file and one line; a released one never changes. */
export function schemaChanges(dialect: Dialect): SchemaChanges {
  return {
    '0001-first-schema': firstSchema(dialect),
    '0002-scan-links': scanLinks,
    '0003-audit-names': auditNames(dialect),
    '0004-settlement-times': settlementTimes(dialect),
  };
}

/** The tables in which Kysely notes what it has applied. */
export const migrationTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** How far the schema is. Changes nothing. Throws OperatorError when the database is too old or too new for this program. */
export async function schemaOf<Tables>(db: Kysely<Tables>, dialect: Dialect, changes = schemaChanges(dialect)): Promise<SchemaState> {
  const known = Object.keys(changes);
  const [first = '', newest = ''] = [known[0], known.at(-1)];
  const applied = await appliedMigrations(db, dialect);
  if (applied.length > 0 && !applied.includes(first)) throw madeBeforeFirst();
  if (applied.some((name) => !known.includes(name)) && !known.includes(await floorOf(db))) throw madeByNewer();
  const pending = known.filter((name) => !applied.includes(name));
  return { applied, newest, pending, additive: pending.every((name) => changes[name]?.additive === true) };
}

/**
 * Brings the schema up to date, wholly or not at all. To be called only by the process that holds the server's lock, or shares it when the pending
 * changes are additive: an older server must never find the schema changed in another way under it. Throws OperatorError when the database is too
 * old or too new for this program. `inTransaction`: the caller has begun one on the only connection, and ends it.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  dialect: Dialect,
  changes = schemaChanges(dialect),
  inTransaction = false,
): Promise<void> {
  if ((await schemaOf(db, dialect, changes)).pending.length === 0) return;
  const migrations: Record<string, Migration> = {};
  let floor = '';
  for (const [name, change] of Object.entries(changes)) {
    if (change.additive !== true) floor = name;
    migrations[name] = notingFloor(change, floor);
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, disableTransactions: inTransaction });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The change, which also notes what a program must know from now on. */
function notingFloor({ up }: SchemaChange, floor: string): Migration {
  return {
    async up(db) {
      await up(db);
      await sql`insert into meta (name, value) values (${floorName}, ${floor}) on conflict (name) do update set value = excluded.value`.execute(
        db,
      );
    },
  };
}

async function floorOf<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ value: string }>`select value from meta where name = ${floorName}`.execute(db);
  return rows[0]?.value ?? '';
}

async function appliedMigrations<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<string[]> {
  const table =
    dialect === 'sqlite'
      ? sql`select name from sqlite_master where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`;
  if ((await table.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

function madeBeforeFirst(): OperatorError {
  return new OperatorError(
    'the database was made before version 0.1.0; the last commit that can use it is 8fa7a2e: run that one, or begin with an empty database',
  );
}

function madeByNewer(): OperatorError {
  return new OperatorError('the database was made by a newer version of the gateway; install that version or restore a backup');
}
