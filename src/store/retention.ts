import { type Kysely, sql } from 'kysely';
import type { Clock, Timer } from '../core/index.ts';
import type { Database } from './schema.ts';

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 60_000;
/** What grows slowly is looked at in every sixtieth sweep, the first one included. */
const slowly = 60;
const rowsPerDelete = 500;

/**
 * How long things are kept: the request log 30 days, answered idempotency keys 24 hours (decisions §3, §8), the audit log 400 days, and of the
 * portal what nobody can use any more. The times of the sign-in library are no numbers (`asText`).
 */
const kept = [
  { table: 'request_log', time: 'at', forMs: 30 * dayMs, asText: false, sweeps: 1 },
  { table: 'claims', time: 'created_at', forMs: dayMs, asText: false, sweeps: 1 },
  { table: 'audit_log', time: 'at', forMs: 400 * dayMs, asText: false, sweeps: slowly },
  { table: 'one_time_links', time: 'expires_at', forMs: dayMs, asText: false, sweeps: slowly },
  { table: 'user_sessions', time: 'expires_at', forMs: dayMs, asText: true, sweeps: slowly },
  { table: 'user_verifications', time: 'expires_at', forMs: dayMs, asText: true, sweeps: slowly },
] as const;

/** Deletes what is past its time, once a minute (or an hour), a few rows at a time so that nobody waits for it. */
export function createRetention(options: { db: Kysely<Database>; clock: Clock; log: { error(fields: object, message: string): void } }) {
  const { db, clock, log } = options;
  let timer: Timer;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let swept = 0;

  async function sweep(number: number): Promise<void> {
    for (const { table, time, forMs, asText, sweeps } of kept) {
      if (number % sweeps !== 0) continue;
      for (;;) {
        if (stopped) return;
        // Rows are in the order of their time, so looking at the oldest few is enough and no index on time is needed.
        const oldest = sql`select id from ${sql.table(table)} order by id limit ${sql.lit(rowsPerDelete)}`;
        const end = clock.now() - forMs;
        const result = await sql`delete from ${sql.table(table)}
          where id in (${oldest}) and ${sql.ref(time)} < ${asText ? new Date(end).toISOString() : end}`.execute(db);
        // Not before nothing went: a young row among the oldest ids (a key used again) must not hide the old ones behind it.
        if (Number(result.numAffectedRows ?? 0) === 0) break;
        // Lets waiting requests through between two deletes.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  function plan(): void {
    timer = clock.after(everyMs, () => {
      running = sweep(swept++)
        .catch((error: unknown) => log.error({ err: error }, 'old records could not be deleted'))
        .finally(() => {
          if (!stopped) plan();
        });
    });
  }
  plan();

  return {
    async stop(): Promise<void> {
      stopped = true;
      timer.cancel();
      await running;
    },
  };
}
