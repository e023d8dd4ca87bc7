import { selectAccountIds, selectAccountNames } from '../accounts/index.ts';
import { hourMs } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { counted, inTurns, within } from './counted.ts';
import { type SendsOfAccount, selectSendsOfAccounts, selectSendsOfHour, selectUsualSends, usualDays } from './queries/last-day.ts';

interface Few<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

interface NamedAccount {
  readonly id: string;
  readonly name: string;
}

/** Which accounts stand out in the last 24 hours. */
interface LastDay {
  /** Accounts with failures, those with most first. */
  readonly failing: Few<NamedAccount & { readonly failed: number; readonly sends: number }>;
  /** Accounts that send far more than usual, the busiest first. */
  readonly busy: Few<NamedAccount & { readonly sends: number; readonly usual: number }>;
}

/** Which accounts of these providers (null: of all) have failures in the last 24 hours, and which send far more than usual: at most `limit` of each. */
export async function lastDay(
  store: Store,
  providerIds: readonly string[] | null,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<LastDay> {
  const counts = await countsOfAll(store, now);
  const reach = providerIds === null ? null : new Set(await selectAccountIds(store.db, providerIds));
  const failing: { id: string; failed: number; sends: number }[] = [];
  const busy: { id: string; sends: number; usual: number }[] = [];
  for (const { account_id: id, sends, accepted, failed } of counts.sends.values()) {
    if (reach !== null && !reach.has(id)) continue;
    if (failed > 0) failing.push({ id, failed, sends });
    const usual = counts.busy.get(id);
    if (usual !== undefined) busy.push({ id, sends: accepted, usual });
  }
  return {
    failing: await named(store, failing.toSorted((one, other) => other.failed - one.failed).slice(0, limit), failing.length),
    busy: await named(store, busy.toSorted((one, other) => other.sends - one.sends).slice(0, limit), busy.length),
  };
}

/** The ids of the accounts that were so in the last day. */
export async function accountsOfLastDay(store: Store, what: 'failing' | 'busy', now: number): Promise<string[]> {
  const { sends, busy } = await countsOfAll(store, now);
  return what === 'busy' ? [...busy.keys()] : [...sends.values()].flatMap(({ account_id, failed }) => (failed > 0 ? [account_id] : []));
}

async function named<Item extends { readonly id: string }>(
  { db }: Store,
  items: readonly Item[],
  total: number,
): Promise<Few<Item & NamedAccount>> {
  const rows = await selectAccountNames(
    db,
    items.map(({ id }) => id),
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return { items: items.map((item) => ({ ...item, name: names.get(item.id) ?? item.id })), total };
}

const hours = 24;
/** Far above the usual is more than so many times as much, */
const timesUsual = 3;
/** of at least so many accepted sends. */
const fewestBusy = 100;
/** What was counted of everybody counts for so long, for all who ask. */
const freshMs = 10_000;
const accountsAtOnce = 200;

/** How the sends of the last 24 hours ended, and which accounts sent far more than usual. */
interface Counts {
  readonly sends: ReadonlyMap<string, SendsOfAccount>;
  /** What each of them sends on a usual day. */
  readonly busy: ReadonlyMap<string, number>;
}

/** Of every account that sent something. */
const countsOfAll = (store: Store, now: number): Promise<Counts> =>
  counted(store, 'last day', within(freshMs, now), now, () => count(store, now));

/** How the sends of these accounts ended in the last 24 hours; accounts without any are absent. */
export async function sendsOfLastDay({ db }: Store, accountIds: readonly string[], now: number): Promise<Counts['sends']> {
  return new Map((await selectSendsOfAccounts(db, accountIds, lastHours(now))).map((row) => [row.account_id, row]));
}

/** What an account sends on a usual day, if it is far less than what was accepted in the last 24 hours; null: it is not. */
export async function usualOfBusy(store: Store, accountId: string, accepted: number, now: number): Promise<number | null> {
  return (await busyOf(store, [{ account_id: accountId, accepted }], now)).get(accountId) ?? null;
}

async function count(store: Store, now: number): Promise<Counts> {
  const sums = new Map<string, SendsOfAccount>();
  for await (const some of inTurns(lastHours(now), 1)) {
    for (const hour of some) for (const row of await selectSendsOfHour(store.db, hour)) add(sums, row);
  }
  return { sends: sums, busy: await busyOf(store, [...sums.values()], now) };
}

/** The hour that runs is one of them. */
function lastHours(now: number): number[] {
  const last = Math.floor(now / hourMs);
  return Array.from({ length: hours }, (_, ago) => last - ago);
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

async function busyOf(
  { db }: Store,
  sends: readonly Pick<SendsOfAccount, 'account_id' | 'accepted'>[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const many = sends.filter(({ accepted }) => accepted >= fewestBusy);
  const busy = new Map<string, number>();
  for await (const some of inTurns(many, accountsAtOnce)) {
    const before = await selectUsualSends(
      db,
      some.map(({ account_id }) => account_id),
      now,
    );
    for (const { account_id, accepted } of some) {
      const usual = (before.get(account_id) ?? 0) / usualDays;
      if (accepted > usual * timesUsual) busy.set(account_id, Math.round(usual));
    }
  }
  return busy;
}
