import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { newId } from '../../core/index.ts';
import { connectionConfig } from './connections.ts';

// An advisory lock belongs to its database; the pair of numbers is "gate", "way1" in ASCII.
export const serverLock = [0x67617465, 0x77617931] as const;
const heartbeatMs = 5_000;
/** How long to try to join other servers: one may hold the lock alone for a moment, to look after the schema. */
export const joinMs = 5_000;
const firstDelayMs = 50;
const longestDelayMs = 2_000;

/** What a lost connection may lead to. */
export interface LockEvents {
  /** The lock now belongs to another server. */
  lost(reason: string): void;
  /** The lock is held again; another server may have held it meanwhile. */
  regained?(): void;
}

/**
 * Holds the database for one server, or with `shared` for one of several: an advisory lock on a connection of its own, which PostgreSQL releases however the process ends.
 * Takes it again when the connection breaks: a server goes on when its database is back, and finds out then whether another one has it. Gives null
 * when another server holds it; throws what pg throws when there is no connection to be had, and an error when the database can only be read.
 */
export async function lockDatabase(
  url: string,
  events: LockEvents,
  { shared = false }: { readonly shared?: boolean } = {},
): Promise<{ release(): Promise<void> } | null> {
  const name = `messaging-gateway server ${newId()}`;
  const tryToLock = `select pg_try_advisory_lock${shared ? '_shared' : ''}($1, $2) as held`;
  let released = false;
  let held: pg.Client | null = null;

  /** A connection that holds the lock; null when another server does. */
  async function tryLock(): Promise<pg.Client | null> {
    const client = new pg.Client({ ...connectionConfig(url, { name }), query_timeout: heartbeatMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await requireWritable(client);
      for (;;) {
        const { rows } = await client.query<{ held: boolean }>(tryToLock, [...serverLock]);
        if (rows[0]?.held === true) return client;
        // After a connection broke, the server may keep its end open and hold the lock. That end bears this process's own name.
        if ((await client.query(endOwnSessions, [...serverLock, name])).rowCount === 0) break;
        await sleep(firstDelayMs);
      }
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    await client.end();
    return null;
  }

  function watch(client: pg.Client): void {
    held = client;
    // A connection that was lost silently is noticed when it is used.
    const heartbeat = setInterval(() => {
      requireWritable(client).catch(() => client.end().catch(() => undefined));
    }, heartbeatMs).unref();
    client.once('end', () => {
      clearInterval(heartbeat);
      if (!released) void regain();
    });
  }

  async function regain(): Promise<void> {
    held = null;
    let refusedAt: number | null = null;
    for (let delay = firstDelayMs; !released; delay = Math.min(delay * 2, longestDelayMs)) {
      try {
        const client = await tryLock();
        if (client !== null) {
          if (released) return void client.end();
          watch(client);
          return events.regained?.();
        }
        refusedAt ??= performance.now();
        if (!shared || performance.now() > refusedAt + joinMs) return events.lost('another gateway server has taken over this database');
      } catch {
        refusedAt = null;
      }
      await sleep(delay * (0.5 + Math.random() / 2), undefined, { ref: false });
    }
  }

  const client = await tryLock();
  if (client === null) return null;
  watch(client);
  return {
    async release() {
      released = true;
      await held?.end();
    },
  };
}

/** Throws when the session can only read. A lock on a standby would not keep servers away that use the primary. */
export async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('it is read-only, as a standby is');
}

/** Whether servers hold the database together. */
export async function sharesLock<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const [classId, objectId] = serverLock;
  const { rows } = await sql`
    select 1 from pg_locks where locktype = 'advisory' and granted and mode = 'ShareLock' and classid = ${classId} and objid = ${objectId}
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}

const endOwnSessions = `
  select pg_terminate_backend(pid) from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
    and classid = $1 and objid = $2 and application_name = $3`;
