import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';

/** The type of each column of each table, as PostgreSQL has them: SQLite does not tell times and flags from text and numbers. */
export type ColumnTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The tables of a migrated PostgreSQL database, but for the migrations' own. */
export async function readColumnTypes(url: string): Promise<ColumnTypes> {
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of await rowsOf(
    url,
    `select table_name as table, column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name not like 'kysely%'`,
  )) {
    const columns = tables.get(String(table)) ?? new Map<string, string>();
    tables.set(String(table), columns.set(String(name), String(type)));
  }
  return tables;
}

/** What a query answers. */
export async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

let made = 0;
/** Text that is easily lost or changed on the way. */
const hardText = () => `' "\\ %s $1 {a,b} \u00e9\u{1f600}\n\t: - ${made++}`;

/** Puts so many rows into each of these tables of an embedded database, with a value in every column, the last with as many nulls as there may be. */
export function fillTables(folder: string, types: ColumnTypes, rows: (table: string) => number): void {
  const database = new Sqlite(join(folder, 'gateway.db'));
  const filled = new Set<string>();
  const fill = (table: string) => {
    if (filled.has(table)) return;
    filled.add(table);
    const info = database.prepare('select name, "notnull" as required, pk from pragma_table_info(?)').all(table) as ColumnInfo[];
    const references = database.prepare('select "from" as name, "table", "to" from pragma_foreign_key_list(?)').all(table) as Reference[];
    const parents = new Map<string, unknown[]>();
    for (const { name, table: parent, to } of references) {
      fill(parent);
      parents.set(name, database.prepare(`select "${to}" from "${parent}" order by rowid`).pluck().all());
    }
    const names = info.map(({ name }) => `"${name}"`).join();
    const insert = database.prepare(`insert into "${table}" (${names}) values (${info.map(() => '?').join()})`);
    const last = rows(table) - 1;
    for (let row = 0; row <= last; row++) {
      const values = info.map(({ name, required, pk }) => {
        if (row === last && required === 0 && pk === 0) return null;
        const keys = parents.get(name);
        return keys === undefined ? someValue(types.get(table)?.get(name)) : keys[row % keys.length];
      });
      insert.run(values);
    }
  };
  database.transaction(() => {
    for (const table of types.keys()) fill(table);
  })();
  database.close();
}

interface ColumnInfo {
  readonly name: string;
  readonly required: number;
  readonly pk: number;
}

interface Reference {
  readonly name: string;
  readonly table: string;
  readonly to: string;
}

function someValue(type: string | undefined): unknown {
  switch (type) {
    case 'bigint':
      return 1_700_000_000_000 + made++;
    case 'integer':
      return made++;
    case 'double precision':
      return made++ + 0.25;
    case 'boolean':
      return made++ % 2;
    case 'bytea':
      return Buffer.concat([Buffer.from([0, 0x5c, 0xff]), randomBytes(made++ % 600)]);
    case 'text':
      return hardText();
    case 'timestamp with time zone':
      return new Date(1_700_000_000_000 + made++ * 86_400_007).toISOString();
    default:
      throw new Error(`no value is known for the type ${type}`);
  }
}

/** Every row of these tables as text, the same for both databases. */
export function dumpSqlite(folder: string, types: ColumnTypes): Map<string, string[]> {
  const database = new Sqlite(join(folder, 'gateway.db'), { readonly: true });
  try {
    return dump(types, (table) => database.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]);
  } finally {
    database.close();
  }
}

/** See `dumpSqlite`. */
export async function dumpPostgres(url: string, types: ColumnTypes): Promise<Map<string, string[]>> {
  const rows = new Map<string, Record<string, unknown>[]>();
  for (const table of types.keys()) rows.set(table, await rowsOf(url, `select * from "${table}"`));
  return dump(types, (table) => rows.get(table) ?? []);
}

function dump(types: ColumnTypes, rows: (table: string) => Record<string, unknown>[]): Map<string, string[]> {
  const told = (value: unknown, type: string | undefined) => {
    if (value === null) return null;
    if (type === 'bytea') return (value as Buffer).toString('hex');
    if (type === 'timestamp with time zone') return new Date(value as string | Date).toISOString();
    return type === 'boolean' ? Boolean(value) : String(value);
  };
  return new Map(
    [...types].map(([table, columns]) => [
      table,
      rows(table)
        .map((row) =>
          JSON.stringify(
            Object.keys(row)
              .toSorted()
              .map((name) => [name, told(row[name], columns.get(name))]),
          ),
        )
        .toSorted(),
    ]),
  );
}
