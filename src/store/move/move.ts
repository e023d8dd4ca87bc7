import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { OperatorError } from '../../core/index.ts';
import type { Database } from '../schema.ts';
import { markMoved, readMoved } from '../sqlite/moved.ts';
import { lockDataFolder } from '../sqlite/server-lock.ts';
import { openSource, type Source, type SourceTable, type SqliteValue } from './source.ts';
import { openTarget, type Target } from './target.ts';

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
  readonly onProgress: (progress: MoveProgress) => void;
  /** Called when everything is copied and is about to be compared. */
  readonly onCopied: () => void;
}

/** What is written at a time: rows, parameters of a statement, and bytes in memory. A single row may be larger. */
const most = { rows: 1000, parameters: 60_000, bytes: 4 * 1024 * 1024 };

/** See store/embedded-data.ts. */
export async function moveToPostgres(directory: string, url: string, options: MoveOptions): Promise<Moved> {
  const file = join(directory, 'gateway.db');
  if (!existsSync(file)) throw new OperatorError(`there is no database at ${file}; set DATA_DIR to the data folder of the gateway`);
  const lock = lockDataFolder(directory);
  try {
    const source = await openSource(directory);
    try {
      const meta = await options.check(source.db);
      const target = await openTarget(url, readMoved(directory));
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
  const { tables } = source;
  requireSame(tables, target.types);
  if (!target.isFilled) {
    await fill(source, target, meta, options);
    await target.commit();
    // At no moment may servers use both of them.
    markMoved(directory, target.name);
  }
  await target.open();
  return { from: source.file, to: target.name, tables: tables.map(({ name, rows }) => ({ table: name, rows })) };
}

async function fill(source: Source, target: Target, meta: Readonly<Record<string, string>>, options: MoveOptions): Promise<void> {
  const { tables } = source;
  const allRows = tables.reduce((sum, { rows }) => sum + rows, 0);
  let copied = 0;
  for (const table of tables) {
    const mostRows = Math.min(most.rows, Math.floor(most.parameters / table.columns.length));
    for (const batch of batches(source.rows(table), mostRows)) {
      await target.insert(table, batch);
      copied += batch.length;
      options.onProgress({ table: table.name, rows: copied, allRows });
    }
  }

  options.onCopied();
  for (const { name, rows } of tables) {
    const found = await target.count(name);
    if (found !== rows)
      throw new OperatorError(`${target.name} has ${found} rows of the table ${name} instead of ${rows}; nothing was moved`);
  }
  await target.finish(tables, meta);
  if (source.hasChanged()) {
    throw new OperatorError(
      `a command has changed ${source.file} meanwhile, so nothing was moved; run gateway move again, and change nothing until it has finished`,
    );
  }
}

/** Both have the same tables with the same columns, as long as every migration makes them in both. */
function requireSame(tables: readonly SourceTable[], types: Target['types']): void {
  const described = (name: string, columns: Iterable<string>) => `${name} (${[...columns].sort().join()})`;
  const here = tables.map(({ name, columns }) => described(name, columns)).sort();
  const there = [...types].map(([name, columns]) => described(name, columns.keys())).sort();
  if (here.join() !== there.join()) throw new Error(`SQLite has the tables ${here.join()}, and PostgreSQL ${there.join()}`);
}

function* batches(rows: Iterable<SqliteValue[]>, mostRows: number): Iterable<SqliteValue[][]> {
  let batch: SqliteValue[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (batch.length === mostRows || (batch.length > 0 && bytes + size > most.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** How many bytes a value takes, about. */
function sizeOf(value: SqliteValue): number {
  return typeof value === 'string' || value instanceof Buffer ? value.length : 8;
}
