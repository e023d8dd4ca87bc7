import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { OperatorError } from '../../core/index.ts';
import { migrate } from '../migrate.ts';
import type { Database } from '../schema.ts';
import type { Store } from '../store.ts';
import { createPool, describe, unusable } from './connections.ts';
import { isTransient } from './faults.ts';
import { createHotPath } from './hot-path.ts';
import { lockDatabase } from './server-lock.ts';

const poolSize = 10;
const transactionAttempts = 8;
/** The longest first delay, doubled with each further try: long enough for those to pass by who stood in the way. */
const retryDelayMs = 100;

/**
 * Opens the database of the URL (postgres://USER:PASSWORD@HOST:PORT/DATABASE) and brings its schema up to date.
 * Throws OperatorError when it cannot be reached or used. Later, while it is away, every call rejects within seconds; when it is
 * back, calls work again.
 */
export async function openPostgresStore(url: string): Promise<Store> {
  const database = describe(url);
  await bringUpToDate(url);
  const pool = createPool(url, poolSize);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const { hot, close: closeHotPath } = createHotPath(url, db);

  let lock: { release(): Promise<void> } | null = null;
  let lost: string | null = null;
  const lostListeners: ((reason: string) => void)[] = [];

  const abandonClaims = () => db.updateTable('claims').set({ state: 'unknown' }).where('state', '=', 'in_flight').execute();

  return {
    dialect: 'postgres',
    db,
    hot,
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await db.transaction().setIsolationLevel('read committed').execute(work);
        } catch (error) {
          if (!isTransient(error) || attempt === transactionAttempts) throw error;
          await sleep(retryDelayMs * 2 ** (attempt - 1) * Math.random());
        }
      }
    },
    async becomeServer() {
      lock = await lockDatabase(url, {
        async regained() {
          // Sends that ended while the database was away could not say so: their claims would be in flight for ever.
          await abandonClaims();
        },
        lost(reason) {
          lost = reason;
          for (const listener of lostListeners.splice(0)) listener(reason);
        },
      }).catch((error: unknown) => {
        throw unusable(url, error);
      });
      if (lock === null) {
        throw new OperatorError(
          `another gateway server uses this database (${database}); stop it: running several servers needs REDIS_URL, which this version does not support`,
        );
      }
      await abandonClaims();
      await db.deleteFrom('trial_reservations').execute();
    },
    onLost(listener) {
      if (lost === null) lostListeners.push(listener);
      else listener(lost);
    },
    async close() {
      await closeHotPath();
      await lock?.release();
      await db.destroy();
    },
  };
}

// On a connection of its own: a migration of a large database takes as long as it takes, and so does waiting for another process's.
async function bringUpToDate(url: string): Promise<void> {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: createPool(url, 1, { statementTimeoutMs: 0 }) }) });
  try {
    await migrate(db, 'postgres');
  } catch (error) {
    throw error instanceof OperatorError ? error : unusable(url, error);
  } finally {
    await db.destroy();
  }
}
