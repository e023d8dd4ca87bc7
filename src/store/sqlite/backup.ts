import { closeSync, createReadStream, createWriteStream, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { makeFile, OperatorError } from '../../core/index.ts';
import { schemaOf } from '../migrate.ts';
import type { Database } from '../schema.ts';
import { patientDialect } from './dialect.ts';
import { requireNotMoved } from './moved.ts';
import { lockDataFolder } from './server-lock.ts';

/** How long to wait for another program that writes, in milliseconds. */
const busyMs = 20_000;

/** See store/embedded-data.ts. */
export async function backUp(directory: string, file: string): Promise<void> {
  requireNotMoved(directory);
  const source = join(directory, 'gateway.db');
  if (!existsSync(source)) throw new OperatorError(`there is no database at ${source}; set DATA_DIR to the data folder of the gateway`);
  if (existsSync(file)) throw new OperatorError(`${file} already exists; name another file, or delete it first`);
  await written(file, 'caller', (partial) => {
    const database = new Sqlite(source, { timeout: busyMs, fileMustExist: true });
    try {
      // It reads one state of the database while a server keeps writing; a copy of the file, page by page, would start over at each write.
      database.prepare('vacuum into ?').run(partial);
    } finally {
      database.close();
    }
  });
}

/** See store/embedded-data.ts. */
export async function restore(directory: string, file: string, check: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  if (!existsSync(file)) throw new OperatorError(`there is no file ${file}`);
  requireNotMoved(directory);
  const lock = lockDataFolder(directory);
  try {
    const target = join(directory, 'gateway.db');
    // A log beside it would be taken for the restored database's own.
    for (const taken of [target, `${target}-wal`])
      if (existsSync(taken))
        throw new OperatorError(`${taken} already exists; restore into an empty folder (DATA_DIR), or move it away first`);
    await written(target, 'folder', async (partial) => {
      // Node's copyFile gives the copy the owner and the mode of the original.
      await pipeline(createReadStream(file), createWriteStream(partial, { flags: 'r+' }));
      await openCopy(partial, file, check);
    });
  } finally {
    lock.release();
  }
}

async function openCopy(partial: string, file: string, check: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  const database = new Sqlite(partial, { fileMustExist: true });
  const db = new Kysely<Database>({ dialect: patientDialect(database, (error) => error) });
  try {
    if ((await schemaOf(db, 'sqlite')).applied.length === 0) throw new OperatorError(`${file} is not a backup of a gateway`);
    await check(db);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} is not a backup of a gateway, or is damaged: ${reason(error)}`);
  } finally {
    await db.destroy();
  }
}

/** Makes a file under another name, looks whether it is whole, and gives it its name. Leaves nothing behind when that fails. */
async function written(file: string, owner: 'caller' | 'folder', make: (partial: string) => Promise<void> | void): Promise<void> {
  const partial = `${file}.partial`;
  reserve(partial, owner);
  try {
    await make(partial);
    requireWhole(partial);
    sync(partial);
    renameSync(partial, file);
    sync(dirname(file));
  } catch (error) {
    rmSync(partial, { force: true });
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file} cannot be written: ${reason(error)}`);
  }
}

/** Makes the empty file, which only its owner may read. */
function reserve(partial: string, owner: 'caller' | 'folder'): void {
  try {
    if (makeFile(partial, '', owner)) return;
  } catch (error) {
    throw new OperatorError(`${partial} cannot be written: ${reason(error)}`);
  }
  throw new OperatorError(`${partial} exists: it is being written, or was left by a stop; delete it when nothing writes it`);
}

function requireWhole(partial: string): void {
  const database = new Sqlite(partial, { fileMustExist: true, readonly: true });
  try {
    const found: unknown = database.pragma('integrity_check(1)', { simple: true });
    if (found !== 'ok') throw new OperatorError(`it is damaged: ${String(found)}`);
  } finally {
    database.close();
  }
}

/** Waits until the disk has a file, or the names in a folder. */
function sync(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
