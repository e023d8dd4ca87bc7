import { rmSync, type Stats } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { OperatorError } from '../core/index.ts';
import type { Driver, Row } from './peer-driver.ts';

const mostBytes = 8 * 1024 ** 3;
/** A database that was not closed is whole only together with the file beside it. */
const besideSqlite = ['-wal', '-journal'];
/** What ends the process without a finally. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** SQLite writes beside a database even when it only reads, so a copy is read. */
export async function openSqlite(file: string): Promise<Driver> {
  const files = [file, ...besideSqlite.map((ending) => `${file}${ending}`)];
  const states = async () => (await Promise.all(files.map((one) => stat(one).catch(() => null)))).filter((one) => one !== null);
  const stamp = async () => stampOf(await states());
  const before = await states();
  if (before[0]?.isFile() !== true) throw new OperatorError(`${file} is no file`);
  if (before.reduce((sum, { size }) => sum + size, 0) > mostBytes) throw new OperatorError(`${file} is larger than 8 GB`);
  const folder = await mkdtemp(join(tmpdir(), 'gateway-import-'));
  // The copy holds the keys of numbers.
  const removeFirst = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, removeFirst);
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    for (const signal of signals) process.off(signal, removeFirst);
  };
  try {
    const copy = join(folder, 'copy.db');
    await copyFile(file, copy);
    for (const ending of besideSqlite) {
      await copyFile(`${file}${ending}`, `${copy}${ending}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
    if ((await stamp()) !== stampOf(before)) throw new OperatorError(`${file} has changed while it was read: the other program still runs`);
    const database = new Sqlite(copy);
    try {
      database.pragma('schema_version');
    } catch (error) {
      database.close();
      throw error;
    }
    return {
      usedAt: Math.max(...before.map(({ mtimeMs }) => mtimeMs)),
      async run(sql, values = []) {
        try {
          return database.prepare(sql).all(...values) as Row[];
        } catch {
          throw new OperatorError(`${file} is damaged, or its tables have another form`);
        }
      },
      columns: async (table) => database.prepare('select name from pragma_table_info(?)').pluck().all(table) as string[],
      stamp,
      // What is written now is not in the copy.
      isUsed: async () => (await stamp()) !== stampOf(before),
      async close() {
        database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    if (error instanceof OperatorError) throw error;
    if (isDiskFull(error)) throw new OperatorError(`the disk has no room to copy ${file}`);
    throw new OperatorError(`${file} is no SQLite database that can be read, or is damaged`);
  }
}

const stampOf = (files: readonly Stats[]): string => files.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join();

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'SQLITE_FULL');
