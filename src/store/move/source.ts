import { hash } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { OperatorError } from '../../core/index.ts';
import { migrationTables, schemaChanges, schemaOf } from '../migrate.ts';
import type { Database } from '../schema.ts';
import { patientDialect } from '../sqlite/dialect.ts';
import { unusable } from '../sqlite/faults.ts';
import { quoted, type SqliteValue } from './columns.ts';

export interface SourceTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** A place before every row. */
export const beforeAll = -(2n ** 63n);

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
      /** The same for no other installation. */
      identity: identityOf(database),
      /** All of them but the migrations' own; a table comes after those that it refers to. */
      tables,
      /** The rows behind one place, in their order; `place` is where each is. */
      *rows({ name }: SourceTable, columns: readonly string[], behind: bigint): Iterable<{ place: bigint; values: SqliteValue[] }> {
        const wanted = ['rowid', ...columns.map(quoted)].join(', ');
        const statement = database
          .prepare(`select ${wanted} from ${quoted(name)} where rowid > ? order by rowid`)
          .raw(true)
          .safeIntegers();
        for (const row of statement.iterate(behind)) {
          const [place, ...values] = row as [bigint, ...SqliteValue[]];
          yield { place, values };
        }
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

/** When its first tables were made and the first of its plans, whose ids are random. */
function identityOf(database: Sqlite.Database): string {
  const made = database.prepare('select timestamp from kysely_migration order by name limit 1').pluck().get();
  const plan = database.prepare('select id from plans order by id limit 1').pluck().get();
  return hash('sha256', JSON.stringify([made, plan]), 'hex');
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
