import { setImmediate } from 'node:timers/promises';
import type { Store } from '../store/index.ts';
import { type SendsOfAccount, selectSendsOfAccount, selectSendsOfHour, selectUsualSends, usualDays } from './queries/last-day.ts';

const hourMs = 60 * 60 * 1000;
const hours = 24;
/** Far above the usual is more than so many times as much, */
const timesUsual = 3;
/** of at least so many accepted sends. */
const fewestBusy = 100;
/** What was counted of everybody counts for so long, for all who ask. */
const freshMs = 10_000;
/** An embedded store reads on the thread that serves requests: so many accounts at a time, and requests in between. */
const accountsAtOnce = 200;

/** How the sends of the last 24 hours ended, and which accounts sent far more than usual. */
export interface Counts {
  readonly sends: ReadonlyMap<string, SendsOfAccount>;
  /** What each of them sends on a usual day. */
  readonly busy: ReadonlyMap<string, number>;
}

const counted = new WeakMap<Store, { readonly at: number; readonly counts: Promise<Counts> }>();

/** Of every account that sent something. */
export function countsOfAll(store: Store, now: number): Promise<Counts> {
  const known = counted.get(store);
  // A time that is to come was before the clock was set back.
  if (known !== undefined && now >= known.at && now - known.at < freshMs) return known.counts;
  const counts = count(store, null, now);
  counted.set(store, { at: now, counts });
  // A failure is not kept.
  counts.catch(() => counted.delete(store));
  return counts;
}

/** Of one account. */
export function countsOfAccount(store: Store, accountId: string, now: number): Promise<Counts> {
  return count(store, accountId, now);
}

async function count(store: Store, accountId: string | null, now: number): Promise<Counts> {
  const last = Math.floor(now / hourMs);
  // The hour that runs is one of them.
  const all = Array.from({ length: hours }, (_, ago) => last - ago);
  const sums = new Map<string, SendsOfAccount>();
  if (accountId !== null) for (const row of await selectSendsOfAccount(store.db, accountId, all)) add(sums, row);
  else
    for (const hour of all) {
      for (const row of await selectSendsOfHour(store.db, hour)) add(sums, row);
      await setImmediate();
    }
  return { sends: sums, busy: await busyOf(store, sums, now) };
}

function add(sums: Map<string, SendsOfAccount>, { account_id, sends, accepted, failed }: SendsOfAccount): void {
  const known = sums.get(account_id) ?? { sends: 0, accepted: 0, failed: 0 };
  sums.set(account_id, {
    account_id,
    sends: known.sends + sends,
    accepted: known.accepted + accepted,
    failed: known.failed + failed,
  });
}

async function busyOf({ db }: Store, sends: ReadonlyMap<string, SendsOfAccount>, now: number): Promise<ReadonlyMap<string, number>> {
  const many = [...sends.values()].filter(({ accepted }) => accepted >= fewestBusy);
  const busy = new Map<string, number>();
  for (let from = 0; from < many.length; from += accountsAtOnce) {
    const some = many.slice(from, from + accountsAtOnce);
    const before = await selectUsualSends(
      db,
      some.map(({ account_id }) => account_id),
      now,
    );
    for (const { account_id, accepted } of some) {
      const usual = (before.get(account_id) ?? 0) / usualDays;
      if (accepted > usual * timesUsual) busy.set(account_id, Math.round(usual));
    }
    await setImmediate();
  }
  return busy;
}
