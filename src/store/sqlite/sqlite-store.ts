import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { Turns } from '../../core/index.ts';
import { migrate } from '../migrate.ts';
import type { Database } from '../schema.ts';
import type { Store } from '../store.ts';
import { startCheckpointer } from './checkpointer.ts';
import { explained, unusable } from './faults.ts';
import { createHotPath } from './hot-path.ts';
import { lockDataFolder } from './server-lock.ts';

// How long a statement waits for another process (the command line) to end its short transaction.
const busyMs = 5000;

/**
 * Opens (and if need be makes) the embedded database `gateway.db` in the folder.
 * Throws OperatorError when the folder or the file cannot be used.
 */
export async function openSqliteStore(directory: string, options: { durability: 'full' | 'normal' }): Promise<Store> {
  const file = join(directory, 'gateway.db');
  let connection: Sqlite.Database;
  let hotConnection: Sqlite.Database;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    connection = new Sqlite(file, { timeout: busyMs });
    connection.pragma('journal_mode = wal');
    connection.pragma('foreign_keys = on');
    connection.pragma(`synchronous = ${options.durability}`);
    hotConnection = new Sqlite(file, { timeout: busyMs });
    hotConnection.pragma('wal_autocheckpoint = 0');
  } catch (error) {
    throw unusable(directory, error);
  }

  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: connection }) });
  await migrate(db, 'sqlite').catch((error: unknown) => {
    throw explained(error, file);
  });
  const { hot, tick, close: closeHotPath } = createHotPath(hotConnection, db, { durable: options.durability === 'full' });

  let lock: { release(): void } | null = null;
  let checkpointer: { stop(): Promise<void> } | null = null;
  const transactions = new Turns();

  return {
    dialect: 'sqlite',
    db,
    hot,
    transaction(work) {
      const run = async () => {
        const { promise: done, resolve } = Promise.withResolvers<void>();
        tick.holdBackUntil(done);
        try {
          return await db.connection().execute(async (connected) => {
            await sql`begin immediate`.execute(connected);
            try {
              const result = await work(connected);
              await sql`commit`.execute(connected);
              return result;
            } catch (error) {
              if (connection.inTransaction) await sql`rollback`.execute(connected);
              throw explained(error, file);
            }
          });
        } finally {
          resolve();
        }
      };
      return transactions.take(run);
    },
    async becomeServer() {
      lock = lockDataFolder(directory);
      await db.updateTable('claims').set({ state: 'unknown' }).where('state', '=', 'in_flight').execute();
      await db.deleteFrom('trial_reservations').execute();
      checkpointer = startCheckpointer(connection);
      connection.pragma('wal_autocheckpoint = 0');
    },
    onLost() {
      // The operating system keeps the file lock as long as the process lives.
    },
    async close() {
      await transactions.ended();
      await closeHotPath();
      await checkpointer?.stop();
      await db.destroy();
      hotConnection.close();
      lock?.release();
    },
  };
}
