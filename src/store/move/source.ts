import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { OperatorError } from '../../core/index.ts';
import { migrationTables, schemaChanges, schemaOf } from '../migrate.ts';
import type { Database } from '../schema.ts';
import { patientDialect } from '../sqlite/dialect.ts';
import { unusable } from '../sqlite/faults.ts';

/** A value as SQLite gives it, whole numbers as bigint. */
export type SqliteValue = string | bigint | number | Buffer | null;

export interface SourceTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** A name as both databases quote it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** An embedded database that is read, in the state that it had when it was opened. */
export type Source = Awaited<ReturnType<typeof openSource>>;

/** Opens the folder's database for reading. Throws OperatorError when it cannot be used, or is not of this version. */
export async function openSource(directory: string) {
  const file = join(directory, 'gateway.db');
  const database = new Sqlite(file, { readonly: true, fileMustExist: true });
  const db = new Kysely<Database>({ dialect: patientDialect(database, (error) => unusable(directory, error)) });
  try {
    const { applied } = await schemaOf(db, 'sqlite');
    if (applied.length === 0) throw new OperatorError(`${file} is empty; there is nothing to move`);
    if (applied.join() !== Object.keys(schemaChanges('sqlite')).join()) {
      throw new OperatorError(`${file} was last used by another version of the gateway; move it with that version`);
    }
    const versionBefore = database.pragma('data_version', { simple: true });
    database.exec('begin');
    const tables = readTables(database);
    return {
      file,
      db,
      /** All of them but the migrations' own; a table comes after those that it refers to. */
      tables,
      /** The values of each row, in the order of the columns; a row comes after those of its table that it refers to. */
      rows({ name, columns }: SourceTable): Iterable<SqliteValue[]> {
        const text = `select ${columns.map(quoted).join(', ')} from ${quoted(name)} order by rowid`;
        return database.prepare(text).raw(true).safeIntegers().iterate() as Iterable<SqliteValue[]>;
      },
      /** Whether another program has changed the database since it was opened. Ends the reading. */
      hasChanged() {
        database.exec('commit');
        return database.pragma('data_version', { simple: true }) !== versionBefore;
      },
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    throw error instanceof OperatorError ? error : unusable(directory, error);
  }
}

function readTables(database: Sqlite.Database): SourceTable[] {
  const names = database.prepare(`select name from sqlite_master where type = 'table' and name not like 'sqlite@_%' escape '@'`).pluck();
  const found = (names.all() as string[]).filter((name) => !migrationTables.includes(name));
  const table = (name: string): SourceTable => ({
    name,
    columns: database.prepare('select name from pragma_table_info(?)').pluck().all(name) as string[],
    rows: database
      .prepare(`select count(*) from ${quoted(name)}`)
      .pluck()
      .get() as number,
  });
  const parents = database.prepare('select "table" from pragma_foreign_key_list(?)').pluck();
  const ordered = new Map<string, SourceTable>();
  const add = (name: string, children: readonly string[] = []) => {
    if (ordered.has(name) || children.includes(name)) return;
    for (const parent of parents.all(name) as string[]) add(parent, [...children, name]);
    ordered.set(name, table(name));
  };
  for (const name of found.sort()) add(name);
  return [...ordered.values()];
}
