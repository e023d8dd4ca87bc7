import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { OperatorError, type StoreUnavailable } from '../../core/index.ts';
import { migrate, schemaOf } from '../migrate.ts';
import type { Database } from '../schema.ts';
import type { OpenOptions, Store } from '../store.ts';
import { tryWrite } from '../try-write.ts';
import { Writability } from '../writability.ts';
import { createPool, describe, unusable } from './connections.ts';
import { isTransient } from './faults.ts';
import { createHotPath } from './hot-path.ts';
import { createLeases, databaseNow, livingNode } from './leases.ts';
import { type LockEvents, lockDatabase } from './server-lock.ts';

const poolSize = 10;
const transactionAttempts = 8;
/** The longest first delay, doubled with each further try, so that conflicting transactions can end. */
const retryDelayMs = 100;

/**
 * Opens the database of the URL (postgres://USER:PASSWORD@HOST:PORT/DATABASE). The schema stays as it is.
 * Throws OperatorError when it cannot be reached or used, and when a newer version has made it. Later, while it is away, every call throws
 * StoreUnavailable within seconds; when it is back, calls work again.
 */
export async function openPostgresStore(url: string, { log, onBatch }: OpenOptions = {}): Promise<Store> {
  const database = describe(url);
  const failed = (error: StoreUnavailable) => writability.failed(error);
  const pool = createPool(url, poolSize, { failed });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const writability = new Writability({ tryWrite: () => tryWrite(db), log });
  const { hot, deliverToSandbox, close: closeHotPath } = createHotPath(url, db, writability, onBatch);

  let lock: { release(): Promise<void> } | null = null;
  let lost: string | null = null;
  const lostListeners: ((reason: string) => void)[] = [];

  /** The lock, if no other process has it. */
  async function takeLock(events: LockEvents, shared = false): Promise<{ release(): Promise<void> }> {
    const taken = await lockDatabase(url, events, { shared }).catch((error: unknown) => {
      throw unusable(url, error);
    });
    if (taken !== null) return taken;
    throw new OperatorError(
      `another gateway server uses this database (${database}); stop it, or start all servers with the same REDIS_URL and SECRET_KEY`,
    );
  }

  const store: Store = {
    dialect: 'postgres',
    db,
    hot,
    writability,
    leases: createLeases(db),
    deliverToSandbox,
    schema: () => schemaOf(db, 'postgres'),
    async migrate() {
      const held = await takeLock({ lost: () => undefined });
      try {
        await bringUpToDate(url);
      } finally {
        await held.release();
      }
    },
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
    async becomeServer({ shared } = { shared: false }) {
      const onLost = (reason: string) => {
        lost = reason;
        for (const listener of lostListeners.splice(0)) listener(reason);
      };
      lock = await takeLock({ lost: onLost }, shared);
      await bringUpToDate(url);
      // Whoever was the only server before is not it any more, even if it has not noticed yet.
      const over = db.deleteFrom('nodes');
      await (shared ? over.where('expires_at', '<=', databaseNow) : over).execute();
      const abandoned = <Column extends string>(node: Column) => sql<boolean>`not ${livingNode(sql.ref(node))}`;
      await db.updateTable('claims').set({ state: 'unknown' }).where('state', '=', 'in_flight').where(abandoned('claims.node')).execute();
      await db.deleteFrom('trial_reservations').where(abandoned('trial_reservations.node')).execute();
      writability.watch(async () => null);
    },
    onLost(listener) {
      if (lost === null) lostListeners.push(listener);
      else listener(lost);
    },
    async close() {
      await writability.stop();
      await closeHotPath();
      await lock?.release();
      await db.destroy();
    },
  };
  try {
    await store.schema();
  } catch (error) {
    await store.close();
    throw error instanceof OperatorError ? error : unusable(url, error);
  }
  return store;
}

// On a connection of its own: a migration of a large database takes as long as it takes.
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
