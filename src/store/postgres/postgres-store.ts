import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { isRefusal, OperatorError, type StoreUnavailable } from '../../core/index.ts';
import { migrate, schemaOf } from '../migrate.ts';
import type { Database } from '../schema.ts';
import type { OpenOptions, SchemaChanges, Store } from '../store.ts';
import { Writability } from '../writability.ts';
import { createPool, describe, requireOwnSessions, requirePromised, unusable } from './connections.ts';
import { isLockTimeout, isTransient } from './faults.ts';
import { createHotPath } from './hot-path.ts';
import { createLeases, databaseNow, livingNode } from './leases.ts';
import { joinMs, type LockEvents, lockDatabase, sharesLock } from './server-lock.ts';
import { requireFinished } from './unfinished-move.ts';

const poolSize = 10;
const transactionAttempts = 8;
/** The longest first delay, doubled with each further try, so that conflicting transactions can end. */
const retryDelayMs = 100;
/** How long to wait while another server brings the schema up to date. */
const migrationMs = 60_000;
const lookAgainMs = 200;
/**
 * How long a change of the schema beside other servers may wait for a table, while their own statements queue behind it: less than the second after
 * which PostgreSQL looks for deadlocks and ends whoever waits.
 */
const besideLockMs = 500;
/** How often it is tried. */
const besideTries = 30;

/**
 * Opens the database of the URL (postgres://USER:PASSWORD@HOST:PORT/DATABASE). The schema stays as it is.
 * Throws OperatorError when it cannot be reached or used, when it is too old or too new, and when it holds an unfinished move. Later, while it is
 * away, every call throws StoreUnavailable within seconds; when it is back, calls work again.
 */
export async function openPostgresStore(url: string, { log, onBatch, changes }: OpenOptions = {}): Promise<Store> {
  const database = describe(url);
  const failed = (error: StoreUnavailable, alone: boolean) => writability.failed(error, alone);
  const pool = createPool(url, poolSize, { mayBeFull: true, failed });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const writability = new Writability({ db, log });
  const { hot, deliverToSandbox, close: closeHotPath } = createHotPath(url, db, writability, onBatch);

  let lock: { release(): Promise<void> } | null = null;
  let lost: string | null = null;
  let closed = false;
  const lostListeners: ((reason: string) => void)[] = [];

  /** The lock; null when another process has it. */
  const tryLock = (events: LockEvents, shared = false) =>
    lockDatabase(url, events, { shared }).catch((error: unknown) => {
      throw unusable(url, error);
    });

  /** The lock, if no other process has it. */
  async function takeLock(events: LockEvents, shared = false): Promise<{ release(): Promise<void> }> {
    const taken = await tryLock(events, shared);
    if (taken !== null) return taken;
    throw otherServer(database);
  }

  /**
   * Brings the schema up to date before this server joins others: under the lock that lets no other run, or beside older servers when they can work
   * on the new schema. Throws OperatorError when servers run that cannot.
   */
  async function migrateBeforeOthers(): Promise<void> {
    const giveUpAt = performance.now() + migrationMs;
    for (let schema = await store.schema(); schema.pending.length > 0; schema = await store.schema()) {
      const alone = await tryLock({ lost: () => undefined });
      if (alone !== null) {
        await bringUpToDate(url, changes).finally(() => alone.release());
        return;
      }
      if (schema.additive && (await migrateBeside())) return;
      // Servers share the lock only when the schema is theirs, so these were here before.
      if ((await sharesLock(db)) && (await store.schema()).pending.length > 0) throw olderServersRun(database);
      if (performance.now() > giveUpAt) throw otherServer(database);
      await sleep(lookAgainMs);
    }
  }

  /** Brings the schema up to date beside servers that share the lock. False when one holds it for itself. */
  async function migrateBeside(): Promise<boolean> {
    const joined = await tryLock({ lost: () => undefined }, true);
    if (joined === null) return false;
    await bringUpToDate(url, changes, besideLockMs).finally(() => joined.release());
    return true;
  }

  /** The lock that servers share; another one may hold it alone for a moment, to look after the schema. */
  async function takeSharedLock(events: LockEvents): Promise<{ release(): Promise<void> }> {
    const giveUpAt = performance.now() + joinMs;
    for (;;) {
      try {
        return await takeLock(events, true);
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
        await sleep(lookAgainMs);
      }
    }
  }

  /** Reports that this server may not go on when a newer one has changed the schema while it had no lock. */
  async function lookAtSchema(onLost: (reason: string) => void): Promise<void> {
    while (!closed) {
      try {
        await store.schema();
        return;
      } catch (error) {
        if (isRefusal(error)) return onLost(error.message);
        await sleep(lookAgainMs, undefined, { ref: false });
      }
    }
  }

  const store: Store = {
    dialect: 'postgres',
    db,
    hot,
    writability,
    now: async () => (await sql<{ now: number }>`select ${databaseNow} as now`.execute(db)).rows[0]?.now ?? Number.NaN,
    leases: createLeases(db),
    deliverToSandbox,
    async schema() {
      await requireFinished(db, database);
      return schemaOf(db, 'postgres', changes);
    },
    async migrate() {
      const held = await takeLock({ lost: () => undefined });
      try {
        await bringUpToDate(url, changes);
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
        if (lost !== null) return;
        lost = reason;
        for (const listener of lostListeners.splice(0)) listener(reason);
      };
      if (shared) await migrateBeforeOthers();
      const events = { lost: onLost, regained: () => void lookAtSchema(onLost) };
      lock = shared ? await takeSharedLock(events) : await takeLock(events);
      // A newer server may have changed it while this one waited for the lock.
      const { pending } = await store.schema();
      if (!shared && pending.length > 0) await bringUpToDate(url, changes);
      // A server that had the database to itself before no longer has, even if it has not noticed yet.
      const over = db.deleteFrom('nodes');
      await (shared ? over.where('expires_at', '<=', databaseNow) : over).execute();
      const abandoned = sql<boolean>`not ${livingNode(sql.ref('claims.node'))}`;
      await db.updateTable('claims').set({ state: 'unknown' }).where('state', '=', 'in_flight').where(abandoned).execute();
      writability.watch();
    },
    onLost(listener) {
      if (lost === null) lostListeners.push(listener);
      else listener(lost);
    },
    async close() {
      closed = true;
      await writability.stop();
      await closeHotPath();
      await lock?.release();
      await db.destroy();
    },
  };
  try {
    await requirePromised(pool, url);
    await requireOwnSessions(pool, url);
    await store.schema();
  } catch (error) {
    await store.close();
    throw error instanceof OperatorError ? error : unusable(url, error);
  }
  return store;
}

/**
 * On a separate connection, because migrating a large database may take long. `lockMs`: how long it may wait for a table; it is tried
 * again then.
 */
async function bringUpToDate(url: string, changes: SchemaChanges | undefined, lockMs = 0): Promise<void> {
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: createPool(url, 1, { statementTimeoutMs: 0 }) }) });
  try {
    await requireFinished(db, describe(url));
    await sql`set lock_timeout = ${sql.lit(lockMs)}`.execute(db);
    for (let tries = 1; ; tries++) {
      try {
        return await migrate(db, 'postgres', changes);
      } catch (error) {
        if (!isLockTimeout(error) || tries === besideTries) throw error;
        await sleep(lookAgainMs);
      }
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : unusable(url, error);
  } finally {
    await db.destroy();
  }
}

function otherServer(database: string): OperatorError {
  return new OperatorError(
    `another gateway server uses this database (${database}); stop it, or start all servers with the same REDIS_URL and SECRET_KEY`,
  );
}

function olderServersRun(database: string): OperatorError {
  return new OperatorError(
    `servers of an older version use this database (${database}), which this version would change; stop all of them, then start the new ones`,
  );
}
