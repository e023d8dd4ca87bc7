import { setImmediate as othersTurn } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type AgeTime, type Clock, dayMs, hourMs, type Log, Periodic } from '../core/index.ts';
import { claimMs } from './judge.ts';
import type { Database } from './schema.ts';
import { settlementIsPending, settlementWriteName } from './send-ends.ts';
import type { Dialect } from './store.ts';

const sweepMs = 60_000;
/** Tables that grow slowly are cleaned in every sixtieth sweep, the first one included. */
const slowly = 60;
const rowsPerStep = 500;
/** For how long it is known how sends ended in each hour. */
const outcomeHours = 8 * 24;
/** How long a settlement is kept for a send whose end may still be pending: far longer than the store may take to answer. */
const settlementMs = 5 * 60_000;
/** The same where a server that is cut off may still hold such an end, while others go on. */
const sharedSettlementMs = dayMs;
/** What is dated ahead by more than this was dated by a clock that was ahead. */
const aheadMs = 60_000;

/** What is deleted by age, and what of it is kept all the same. */
interface Rule {
  readonly table: string;
  readonly time: string;
  readonly forMs: number;
  readonly sweeps: number;
  /** The times of the sign-in library are no numbers. */
  readonly asText?: true;
  /** Judged by the time of claims, which no calendar leads. */
  readonly claims?: true;
  /** The rows are in no order of their time, and few. */
  readonly unordered?: true;
  readonly unless?: (now: number) => RawBuilder<unknown>;
}

/** While the end of an accepted send is pending, the claim that its request made decides whether it is counted. */
const beingSentOrPending = (now: number) =>
  sql`(state = 'in_flight' and deadline > ${now} or ${settlementIsPending(sql.ref('claims.owner'))})`;
/** A unit of a trial is taken until the send that used it is counted. */
const reservedForPending = () => settlementIsPending(sql.ref('trial_reservations.id'));
/** Without a key, a settlement written at about the same time as the pending write decides. */
const pending = () => sql`exists (select 1 from pending_writes where kind = ${sql.lit(settlementWriteName)}
  and pending_writes.created_at between settlements.at - ${sql.lit(settlementMs)} and settlements.at + ${sql.lit(settlementMs)})`;

/**
 * How long things are kept: the request log 30 days, answered idempotency keys 24 hours (decisions §3, §8), what happened to a
 * number 90 days, what was sent as alerts and what became of messages 30 days, the audit log 400 days, and of the portal what nobody can use any
 * more.
 */
const kept: readonly Rule[] = [
  { table: 'requests', time: 'at', forMs: 30 * dayMs, sweeps: 1 },
  { table: 'number_sends', time: 'day', forMs: 31 * dayMs, sweeps: slowly },
  { table: 'claims', time: 'created_at', forMs: dayMs, sweeps: 1, claims: true, unless: beingSentOrPending },
  { table: 'trial_reservations', time: 'deadline', forMs: 0, sweeps: 1, claims: true, unless: reservedForPending },
  { table: 'number_history', time: 'at', forMs: 90 * dayMs, sweeps: slowly },
  { table: 'alert_deliveries', time: 'ended_at', forMs: 30 * dayMs, sweeps: slowly },
  { table: 'message_events', time: 'noted_at', forMs: 30 * dayMs, sweeps: 1 },
  { table: 'audit_log', time: 'at', forMs: 400 * dayMs, sweeps: slowly },
  { table: 'one_time_links', time: 'expires_at', forMs: dayMs, sweeps: slowly, unordered: true },
  { table: 'scan_links', time: 'expires_at', forMs: dayMs, sweeps: slowly, unordered: true },
  { table: 'user_sessions', time: 'expires_at', forMs: dayMs, asText: true, sweeps: slowly, unordered: true },
  { table: 'user_verifications', time: 'expires_at', forMs: dayMs, asText: true, sweeps: slowly, unordered: true },
];

interface RetentionOptions {
  readonly db: Kysely<Database>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** The time that ages are measured by; `clock` only triggers the sweeps. */
  readonly time: AgeTime;
  /** Null when every pending write is stored. Otherwise tries to store them, and rejects when that fails. */
  readonly recorded: () => Promise<void> | null;
  /** How long a sent message is kept for devices that have not confirmed it, in milliseconds. */
  readonly keepSentMs: number;
  readonly everyMs?: number;
  readonly log: Pick<Log, 'error'>;
}

/** Deletes expired rows once a minute (or an hour), a few at a time so that requests do not wait for it. */
export function createRetention({ db, dialect, clock, time, recorded, keepSentMs, everyMs = sweepMs, log }: RetentionOptions) {
  const settlementsMs = dialect === 'postgres' ? sharedSettlementMs : settlementMs;
  const rules: readonly Rule[] = [
    ...kept,
    { table: 'settlements', time: 'at', forMs: settlementsMs, sweeps: 1, unless: pending },
    { table: 'sent_messages', time: 'at', forMs: keepSentMs, sweeps: 1 },
  ];
  let swept = 0;
  /** Whether claims dated ahead may be behind any number of others: after the start, after a doubt, and when the time went back. */
  let aheadAnywhere = true;
  let lastNow = Number.NEGATIVE_INFINITY;
  const sweeps = new Periodic({ clock, everyMs, work: () => sweep(swept++), log, failed: 'old records could not be deleted' }).start();

  async function sweep(number: number): Promise<void> {
    // In every sweep, so that a jump of the calendar is noticed when it happens.
    await time.look();
    // A pending write that is not stored yet keeps nothing from being deleted.
    await recorded();
    const now = time.now();
    if (time.inDoubt || now < lastNow) aheadAnywhere = true;
    lastNow = now;
    if (!time.inDoubt) await beginNow(now);
    for (const rule of rules) {
      if (number % rule.sweeps === 0) await clean(rule);
    }
    if (number % slowly === 0)
      await db
        .deleteFrom('send_outcomes')
        .where('hour', '<', Math.floor(time.earliest() / hourMs) - outcomeHours)
        .execute();
  }

  /**
   * Goes through the oldest rows until there is nothing old among some of them. What is kept all the same is passed over, and so is what a clock
   * that was ahead has dated ahead: older rows may come behind it.
   */
  async function clean({ table, time: column, forMs, asText, claims, unordered, unless }: Rule): Promise<void> {
    const now = claims === true ? time.now() : time.earliest();
    const end = now - forMs;
    const written = (at: number) => (asText === true ? new Date(at).toISOString() : at);
    const isOld = sql`${sql.ref(column)} < ${written(end)}`;
    const isAhead = sql`${sql.ref(column)} > ${written(time.latest() + aheadMs)}`;
    for (let last: unknown = null; !sweeps.stopped; ) {
      const behind = last === null ? sql`` : sql`where id > ${last}`;
      // Rows are in the order of their time, so looking at the oldest few is enough and no index on time is needed.
      const { rows } = await sql<{ last: unknown; many: number; old: number; ahead: number }>`
        select max(id) as last, count(*) as many, count(case when ${isOld} then 1 end) as old, count(case when ${isAhead} then 1 end) as ahead
        from (select * from ${sql.table(table)} ${behind} order by id limit ${sql.lit(rowsPerStep)}) oldest`.execute(db);
      const { last: here = null, many = 0, old = 0, ahead = 0 } = rows[0] ?? {};
      // Noticed among the oldest, it may be behind the youngest too, where it is looked for from now on.
      if (claims === true && table === 'claims' && ahead > 0) aheadAnywhere = true;
      if (old > 0) {
        const spared = unless === undefined ? sql`` : sql`and not ${unless(now)}`;
        await sql`delete from ${sql.table(table)} where id <= ${here} ${last === null ? sql`` : sql`and id > ${last}`} and ${isOld} ${spared}`.execute(
          db,
        );
      }
      if (many < rowsPerStep || (old === 0 && ahead === 0 && unordered !== true)) return;
      last = here;
      await othersTurn();
    }
  }

  /** What a clock that was ahead has dated ahead begins now: it would stay for too long. */
  async function beginNow(now: number): Promise<void> {
    const isAhead = sql`created_at > ${now + aheadMs}`;
    // New claims come last. Only where some may be ahead are all of them looked at.
    for (let last: unknown = null; !sweeps.stopped; ) {
      const before = last === null ? sql`` : sql`where id < ${last}`;
      const { rows } = await sql<{ last: unknown; many: number; ahead: number }>`
        select min(id) as last, count(*) as many, count(case when ${isAhead} then 1 end) as ahead
        from (select id, created_at from claims ${before} order by id desc limit ${sql.lit(rowsPerStep)}) youngest`.execute(db);
      const { last: here = null, many = 0, ahead = 0 } = rows[0] ?? {};
      if (ahead > 0) {
        aheadAnywhere = true;
        const above = last === null ? sql`` : sql`and id < ${last}`;
        await sql`update claims set created_at = ${now} where id >= ${here} ${above} and ${isAhead}`.execute(db);
      }
      if (many < rowsPerStep) aheadAnywhere = false;
      if (!aheadAnywhere) break;
      last = here;
      await othersTurn();
    }
    await db
      .updateTable('trial_reservations')
      .set({ deadline: now + claimMs })
      .where('deadline', '>', now + claimMs + aheadMs)
      .execute();
  }

  return {
    async stop(): Promise<void> {
      await sweeps.stop();
      await time.look().catch((error: unknown) => log.error({ err: error }, 'the time could not be stored'));
    },
  };
}
