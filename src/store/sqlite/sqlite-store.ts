import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { makeFile, makeFolder, OperatorError, StoreUnavailable } from '../../core/index.ts';
import { migrate, schemaOf } from '../migrate.ts';
import type { Database } from '../schema.ts';
import type { OpenOptions, Store } from '../store.ts';
import { Writability } from '../writability.ts';
import { patiently } from './busy.ts';
import { startCheckpointer } from './checkpointer.ts';
import { patientDialect } from './dialect.ts';
import { explained, unusable } from './faults.ts';
import { createHotPath } from './hot-path.ts';
import { requireNotMoved } from './moved.ts';
import { fullDisk, watchPlace } from './place.ts';
import { type DataFolderLock, lockDataFolder } from './server-lock.ts';

/**
 * Opens the embedded database `gateway.db` in the folder; with `create` it is made when there is none. The schema stays as it is.
 * Throws OperatorError when there is no database, when it cannot be used, when it is too old or too new, and when it was moved to PostgreSQL.
 */
export async function openSqliteStore(directory: string, options: OpenOptions & { durability: 'full' | 'normal' }): Promise<Store> {
  requireNotMoved(directory);
  const file = join(directory, 'gateway.db');
  const { connection, hotConnection } = await open(directory, file, options);

  const explain = (error: unknown) => {
    const clear = explained(error, file);
    if (clear instanceof StoreUnavailable) writability.failed(clear);
    return clear;
  };
  const db = new Kysely<Database>({ dialect: patientDialect(connection, explain) });
  const writability = new Writability({ db, look: () => fullDisk(file), log: options.log });
  const {
    hot,
    deliverToSandbox,
    synced,
    close: closeHotPath,
  } = createHotPath(hotConnection, db, {
    durable: options.durability === 'full',
    writability,
    explain,
    onBatch: options.onBatch,
  });
  let lock: DataFolderLock | null = null;
  let checkpointer: { stop(): Promise<void> } | null = null;

  const store: Store = {
    dialect: 'sqlite',
    db,
    hot,
    writability,
    now: null,
    leases: null,
    deliverToSandbox,
    transaction: (work) => db.transaction().execute(work),
    schema: () => schemaOf(db, 'sqlite', options.changes),
    async migrate() {
      const held = lockDataFolder(directory);
      try {
        await migrate(db, 'sqlite', options.changes);
      } finally {
        held.release();
      }
    },
    async becomeServer({ shared } = { shared: false }) {
      if (shared) throw new Error('an embedded database has one server only');
      lock = lockDataFolder(directory);
      await migrate(db, 'sqlite', options.changes);
      await db.updateTable('claims').set({ state: 'unknown' }).where('state', '=', 'in_flight').execute();
      // An earlier process may have been killed between a commit and the disk. From here on others rely on what they read.
      await synced();
      checkpointer = startCheckpointer(connection, (error) => {
        const err = explain(error);
        // StoreUnavailable is logged elsewhere; every other error is logged here.
        if (!(err instanceof StoreUnavailable)) options.log?.error({ err }, 'the write-ahead log cannot be moved into its database');
      });
      connection.pragma('wal_autocheckpoint = 0');
      writability.watch(await watchPlace(file));
    },
    onLost() {
      // The operating system keeps the file lock as long as the process lives.
    },
    async close() {
      await writability.stop();
      await closeHotPath();
      await checkpointer?.stop();
      await db.destroy();
      hotConnection.close();
      lock?.release();
    },
  };
  try {
    await store.schema();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Two connections: one for Kysely, one for the hot path. */
async function open(directory: string, file: string, options: OpenOptions & { durability: 'full' | 'normal' }) {
  if (!options.create && !existsSync(file)) {
    throw new OperatorError(
      `there is no database at ${file}; set DATA_DIR to the data folder of the gateway, or make one with gateway serve or gateway account create`,
    );
  }
  try {
    makeFolder(directory);
    keepPrivate(file);
    return await patiently(() => {
      const connection = new Sqlite(file, { timeout: 0, fileMustExist: options.create !== true });
      try {
        connection.pragma('journal_mode = wal');
        connection.pragma('foreign_keys = on');
        connection.pragma(`synchronous = ${options.durability}`);
        const hotConnection = new Sqlite(file, { timeout: 0 });
        hotConnection.pragma('wal_autocheckpoint = 0');
        return { connection, hotConnection };
      } catch (error) {
        connection.close();
        throw error;
      }
    });
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** Only the owner may read the database, which is made if need be, and the log beside it, which SQLite makes with the same mode. */
function keepPrivate(file: string): void {
  if (makeFile(file, '', 'folder')) return;
  for (const made of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      chmodSync(made, 0o600);
    } catch {
      // It is not there, or another user's, and the database can be used nevertheless.
    }
  }
}
