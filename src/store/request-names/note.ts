import { sql } from 'kysely';
import { readSegment } from '../log-records.ts';
import type { RequestRecord } from '../schema.ts';
import type { Store } from '../store.ts';
import { buckets, Entries, rowId } from './entries.ts';
import { keysOf } from './names.ts';
import { moveNotedTo, notedTo } from './position.ts';

const hourMs = 60 * 60 * 1000;
/** How many requests make a run. */
export const requestsOfRun = 4096;
/** A run with fewer is made when its oldest request has waited so long: many small runs would make every search slower. */
const longestWaitMs = 10 * 60 * 1000;
/** On PostgreSQL segments of several servers may appear out of order, within the longest time that a write may take. */
const settledMs = 30_000;
const segmentsAtOnce = 32;
/** After so many requests others have their turn. */
const requestsAtOnce = 200;
const rowsAtOnce = 500;
/** How many hours of outcomes are kept. */
export const hoursKept = 8 * 24;
const bucketsSwept = 8;

/** How many sends of an account ended so within an hour. */
export interface SendOutcome {
  /** Hours since 1970. */
  readonly hour: number;
  readonly account_id: string;
  /** The code of the failure; empty for accepted sends. */
  readonly code: string;
  readonly count: number;
}

/** The sends among these requests by account, hour and outcome; what was answered from an earlier send counts nowhere. */
export function outcomesOf(records: Iterable<RequestRecord>): SendOutcome[] {
  const counts = new Map<string, { hour: number; account_id: string; code: string; count: number }>();
  for (const { account_id, message_type, at, code, idempotency } of records) {
    if (account_id === null || message_type === null || (code === null && idempotency === 'replayed')) continue;
    const hour = Math.floor(at / hourMs);
    const key = `${account_id} ${hour} ${code ?? ''}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { hour, account_id, code: code ?? '', count: 1 });
    else known.count++;
  }
  return [...counts.values()];
}

/** Notes the next run of the log, if there is enough of it. True when there may be more at once. `sweep` counts the runs. */
export async function noteNextRun(store: Pick<Store, 'db' | 'dialect' | 'transaction'>, now: number, sweep: number): Promise<boolean> {
  const from = await notedTo(store.db);
  const entries = new Entries();
  const records: RequestRecord[] = [];
  let first: number | null = null;
  let last = from;
  let oldest = now;
  let settled = true;
  let looked = 0;
  while (records.length < requestsOfRun && settled) {
    const segments = await store.db
      .selectFrom('request_log')
      .select(['id', 'at', 'records'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(segmentsAtOnce)
      .execute();
    for (const segment of segments) {
      settled = store.dialect === 'sqlite' || segment.at <= now - settledMs;
      if (!settled) break;
      if (first === null) {
        first = segment.id;
        oldest = segment.at;
      }
      last = segment.id;
      for (const record of readSegment(segment.records)) {
        records.push(record);
        for (const key of keysOf(record)) entries.add(key, segment.id);
      }
      if (records.length - looked < requestsAtOnce) continue;
      looked = records.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (segments.length < segmentsAtOnce) break;
  }
  const full = records.length >= requestsOfRun;
  if (first === null || (!full && oldest > now - longestWaitMs)) return false;
  const run = { first, last };
  await store.transaction(async (trx) => {
    if (!(await moveNotedTo(trx, from, run.last))) return;
    const rows = entries.rows(run.first).map(({ bucket, entries: bytes }) => ({
      id: rowId(bucket, run.first),
      last_segment: run.last,
      entries: bytes,
    }));
    for (let i = 0; i < rows.length; i += rowsAtOnce)
      await trx
        .insertInto('request_names')
        .values(rows.slice(i, i + rowsAtOnce))
        .execute();
    const outcomes = outcomesOf(records);
    for (let i = 0; i < outcomes.length; i += rowsAtOnce)
      await trx
        .insertInto('send_outcomes')
        .values(outcomes.slice(i, i + rowsAtOnce))
        .onConflict((conflict) =>
          conflict
            .columns(['hour', 'account_id', 'code'])
            .doUpdateSet((eb) => ({ count: eb('send_outcomes.count', '+', eb.ref('excluded.count')) })),
        )
        .execute();
    await trx
      .deleteFrom('send_outcomes')
      .where('hour', '<', Math.floor(now / hourMs) - hoursKept)
      .execute();
    for (let i = 0; i < bucketsSwept; i++) {
      const bucket = (sweep * bucketsSwept + i) % buckets;
      await sql`delete from request_names
        where id >= ${rowId(bucket, 0)} and id < ${rowId(bucket, 0)} + (select min(id) from request_log)
          and last_segment < (select min(id) from request_log)`.execute(trx);
    }
  });
  return full;
}
