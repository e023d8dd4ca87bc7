import { type Kysely, sql } from 'kysely';
import { type Clock, LastingTime, type Timer } from '../core/index.ts';
import type { Database } from './schema.ts';

/** The kind of the debts that claims and settlements are kept for. */
export const settlementDebtName = 'settlement';

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 60_000;
/** Tables that grow slowly are cleaned in every sixtieth sweep, the first one included. */
const slowly = 60;
const rowsPerDelete = 500;
/** How long a settlement is kept for a send that may still be owed: far longer than the store may take to answer. */
const settlementMs = 5 * 60_000;

/** An accepted send that is still owed is counted or not by what its claim, or a settlement, says. */
const unlessOwed = sql`and not exists (select 1 from debts where kind = ${sql.lit(settlementDebtName)})`;
const unlessSending = sql`and state <> 'in_flight' ${unlessOwed}`;

/**
 * How long things are kept: the request log 30 days, answered idempotency keys 24 hours (decisions §3, §8), what happened to a
 * number 90 days, what was sent as alerts and what became of messages 30 days, the audit log 400 days, and of the portal what nobody can use any
 * more. The times of the sign-in library are no numbers (`asText`).
 */
const kept = [
  { table: 'request_log', time: 'at', forMs: 30 * dayMs, asText: false, sweeps: 1 },
  { table: 'claims', time: 'created_at', forMs: dayMs, asText: false, sweeps: 1, unless: unlessSending },
  { table: 'settlements', time: 'at', forMs: settlementMs, asText: false, sweeps: 1, unless: unlessOwed },
  { table: 'number_history', time: 'at', forMs: 90 * dayMs, asText: false, sweeps: slowly },
  { table: 'alert_deliveries', time: 'ended_at', forMs: 30 * dayMs, asText: false, sweeps: slowly },
  { table: 'message_events', time: 'noted_at', forMs: 30 * dayMs, asText: false, sweeps: 1 },
  { table: 'audit_log', time: 'at', forMs: 400 * dayMs, asText: false, sweeps: slowly },
  { table: 'one_time_links', time: 'expires_at', forMs: dayMs, asText: false, sweeps: slowly },
  { table: 'user_sessions', time: 'expires_at', forMs: dayMs, asText: true, sweeps: slowly },
  { table: 'user_verifications', time: 'expires_at', forMs: dayMs, asText: true, sweeps: slowly },
] as const;

interface RetentionOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  /** The time that ages are measured by; `clock` only triggers the sweeps. */
  readonly time: LastingTime;
  /** Null when every debt is written down. Otherwise tries to write them, and rejects when that fails. */
  readonly recorded: () => Promise<void> | null;
  /** How long a sent message is kept for devices that have not confirmed it, in milliseconds. */
  readonly keepSentMs: number;
  readonly log: { error(fields: object, message: string): void };
}

/** Deletes expired rows once a minute (or an hour), a few at a time so that requests do not wait for it. */
export function createRetention({ db, clock, time, recorded, keepSentMs, log }: RetentionOptions) {
  const rules = [...kept, { table: 'sent_messages', time: 'at', forMs: keepSentMs, asText: false, sweeps: 1 } as const];
  let timer: Timer;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let swept = 0;

  async function sweep(number: number): Promise<void> {
    // Read in every sweep, so that a jump of the calendar is noticed when it happens.
    const now = time.now();
    await recorded();
    if (number % slowly === 0) await keepTime(db, now);
    for (const rule of rules) {
      if (number % rule.sweeps !== 0) continue;
      for (;;) {
        if (stopped) return;
        // Rows are in the order of their time, so looking at the oldest few is enough and no index on time is needed.
        const oldest = sql`select id from ${sql.table(rule.table)} order by id limit ${sql.lit(rowsPerDelete)}`;
        const end = now - rule.forMs;
        const result = await sql`delete from ${sql.table(rule.table)}
          where id in (${oldest}) and ${sql.ref(rule.time)} < ${rule.asText ? new Date(end).toISOString() : end}
          ${'unless' in rule ? rule.unless : sql``}`.execute(db);
        // Stops only when nothing was deleted: a young row among the oldest ids (a key used again) must not hide old ones behind it.
        if (Number(result.numAffectedRows ?? 0) === 0) break;
        // Gives waiting requests a turn between two deletes.
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
      await keepTime(db, time.now()).catch((error: unknown) => log.error({ err: error }, 'the time could not be stored'));
    },
  };
}

const timeName = 'lasting_time';

/** The time by which an earlier process judged what is old; the next process continues from it. */
export async function openLastingTime(db: Kysely<Database>, clock: Clock): Promise<LastingTime> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', timeName).executeTakeFirst();
  if (row !== undefined) return new LastingTime(clock, Number(row.value));
  const time = new LastingTime(clock);
  await keepTime(db, time.now());
  return time;
}

async function keepTime(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name: timeName, value: String(now) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
    .execute();
}
