import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { OperatorError } from '../../core/index.ts';
import type { Database } from '../schema.ts';
import { markMoved, readMoved } from '../sqlite/moved.ts';
import { lockDataFolder } from '../sqlite/server-lock.ts';
import { type Column, Digest, type SqliteValue, sizeOf } from './columns.ts';
import { beforeAll, openSource, type Source, type SourceTable } from './source.ts';
import { mostParameters, openTarget, type Target } from './target.ts';

/** How far a move is. */
export interface MoveProgress {
  /** The table that is being copied. */
  readonly table: string;
  /** Rows in PostgreSQL by now, and how many there will be. */
  readonly rows: number;
  readonly allRows: number;
}

export interface Moved {
  /** The file of the embedded database. */
  readonly from: string;
  /** Host, port and database. */
  readonly to: string;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
}

export interface MoveOptions {
  /** Given the source before anything else happens; throws OperatorError when it must not be moved. What it returns is put into `meta` at the end. */
  readonly check: (source: Kysely<Database>) => Promise<Readonly<Record<string, string>>>;
  /** Called when the rows of an earlier, interrupted run are kept, or had to be dropped because the source has changed since. */
  readonly onEarlier: (earlier: 'continued' | 'dropped') => void;
  readonly onProgress: (progress: MoveProgress) => void;
  /** Called when everything is copied and is about to be compared. */
  readonly onCopied: () => void;
}

/** What is written at a time: rows, and bytes in memory. A single row may be larger. */
const batchRows = 1000;
const batchBytes = 4 * 1024 * 1024;

/** How far a table is: the place of the last row that was copied, and the digest of all up to it. */
interface Place {
  readonly last: bigint;
  readonly digest: string;
}

/** A table of the source with its columns in PostgreSQL. */
interface MovedTable extends SourceTable {
  readonly to: readonly Column[];
}

/** See store/embedded-data.ts. */
export async function moveToPostgres(directory: string, url: string, options: MoveOptions): Promise<Moved> {
  const file = join(directory, 'gateway.db');
  if (!existsSync(file)) throw new OperatorError(`there is no database at ${file}; set DATA_DIR to the data folder of the gateway`);
  const lock = lockDataFolder(directory);
  try {
    const source = await openSource(directory);
    try {
      const meta = await options.check(source.db);
      const target = await openTarget(url, source.identity, readMoved(directory));
      try {
        return await move(directory, source, target, meta, options);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    lock.release();
  }
}

async function move(
  directory: string,
  source: Source,
  target: Target,
  meta: Readonly<Record<string, string>>,
  options: MoveOptions,
): Promise<Moved> {
  const tables = matched(source.tables, await target.columns());
  const places = await earlierPlaces(source, target, tables, options);
  const allRows = tables.reduce((sum, { rows }) => sum + rows, 0);
  let copied = tables.reduce((sum, { name }) => sum + new Digest(places.get(name)?.digest).rows, 0);
  const digests = new Map<string, string>();
  for (const table of tables) {
    const onBatch = (rows: number) => {
      copied += rows;
      options.onProgress({ table: table.name, rows: copied, allRows });
    };
    digests.set(table.name, await copy(source, target, table, places.get(table.name) ?? null, onBatch));
  }

  options.onCopied();
  for (const { name, to } of tables) {
    const [wanted, found] = [digests.get(name), await target.digest(name, to)];
    if (wanted !== found) {
      throw new OperatorError(
        `the table ${name} of ${target.name} is not what was copied into it (${rowsOf(found)} rows instead of ${rowsOf(wanted)}); empty the database and move again`,
      );
    }
  }
  if (source.hasChanged()) {
    throw new OperatorError(
      `a command has changed ${source.file} meanwhile, and PostgreSQL does not have all of it; run gateway move again, and change nothing until it has finished`,
    );
  }
  // Marked first: at no moment may a server use either of them.
  markMoved(directory, target.name);
  // An analysed empty table would be planned for as if it stayed empty.
  const filled = tables.filter(({ rows }) => rows > 0);
  await target.finish(
    filled.map(({ name }) => name),
    meta,
  );
  return { from: source.file, to: target.name, tables: tables.map(({ name, rows }) => ({ table: name, rows })) };
}

/** Both have the same tables with the same columns, as long as every migration makes them in both. */
function matched(tables: readonly SourceTable[], columns: ReadonlyMap<string, Column[]>): MovedTable[] {
  const known = tables.map((table) => {
    const to = columns.get(table.name) ?? [];
    const both = new Set([...table.columns, ...to.map(({ name }) => name)]);
    if (both.size !== table.columns.length || both.size !== to.length)
      throw new Error(`the table ${table.name} has other columns in PostgreSQL`);
    return { ...table, to };
  });
  const extra = [...columns.keys()].find((name) => !tables.some((table) => table.name === name));
  if (extra !== undefined) throw new Error(`only PostgreSQL has the table ${extra}`);
  return known;
}

/** Where each table continues. The tables are emptied when there is nothing to continue, or it is not what the source has today. */
async function earlierPlaces(
  source: Source,
  target: Target,
  tables: readonly MovedTable[],
  options: MoveOptions,
): Promise<Map<string, Place>> {
  const places = new Map([...(await target.progress())].map(([name, text]) => [name, readPlace(text)]));
  let same = true;
  for (const table of tables) {
    const place = places.get(table.name);
    same &&= place === undefined || place.digest === (await digestUpTo(source, table, place.last));
  }
  if (same && places.size > 0) {
    options.onEarlier('continued');
    return places;
  }
  if (!same) options.onEarlier('dropped');
  // A new database has the plans and the provider that every installation begins with.
  await target.clear(tables.map(({ name }) => name));
  return new Map();
}

async function digestUpTo(source: Source, table: MovedTable, last: bigint): Promise<string> {
  const digest = new Digest();
  for (const { place, values } of source.rows(table, namesOf(table), beforeAll)) {
    if (place > last) break;
    digest.add(table.to, values);
    // The lock on the target is looked after meanwhile.
    if (digest.rows % batchRows === 0) await setImmediate();
  }
  return digest.toString();
}

/** Copies the rows behind the place; gives the digest of the whole table. */
async function copy(
  source: Source,
  target: Target,
  table: MovedTable,
  from: Place | null,
  onBatch: (rows: number) => void,
): Promise<string> {
  const most = Math.min(batchRows, Math.floor(mostParameters / table.to.length));
  const digest = new Digest(from?.digest);
  let written = from === null ? null : writePlace(from);
  let batch: SqliteValue[][] = [];
  let bytes = 0;
  let last = from?.last ?? beforeAll;
  const flush = async () => {
    const after = writePlace({ last, digest: digest.toString() });
    await target.insert(table.name, table.to, batch, written, after);
    onBatch(batch.length);
    written = after;
    batch = [];
    bytes = 0;
  };
  for (const { place, values } of source.rows(table, namesOf(table), last)) {
    const size = values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (batch.length === most || (batch.length > 0 && bytes + size > batchBytes)) await flush();
    digest.add(table.to, values);
    batch.push(values);
    bytes += size;
    last = place;
  }
  if (batch.length > 0) await flush();
  return digest.toString();
}

const namesOf = ({ to }: MovedTable) => to.map(({ name }) => name);
const rowsOf = (digest = '') => new Digest(digest).rows;
const writePlace = ({ last, digest }: Place) => `${last} ${digest}`;

function readPlace(text: string): Place {
  const [last = '', digest = ''] = text.split(' ');
  return { last: BigInt(last), digest };
}
