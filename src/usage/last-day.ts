import { selectAccountNames } from '../accounts/index.ts';
import type { Store } from '../store/index.ts';
import { countsOfAccount, countsOfAll } from './last-day-counts.ts';
import { selectIdsOfProviders } from './queries/last-day.ts';

/** Whose sends. */
export interface SendsScope {
  /** Of one account; null: of many. */
  readonly accountId: string | null;
  /** Of the accounts of these providers; null: of all. */
  readonly providerIds: readonly string[] | null;
}

interface Few<Item> {
  readonly items: readonly Item[];
  /** How many there are. */
  readonly total: number;
}

interface NamedAccount {
  readonly id: string;
  readonly name: string;
}

/** What there is to know of the sends of the last 24 hours. */
interface LastDay {
  /** `failed`: the gateway or the network did (`isFailure`). `refused`: the request was at fault. */
  readonly sends: { readonly accepted: number; readonly failed: number; readonly refused: number };
  /** Accounts with failures, those with most first. */
  readonly failing: Few<NamedAccount & { readonly failed: number; readonly sends: number }>;
  /** Accounts that send far more than usual, the busiest first. */
  readonly busy: Few<NamedAccount & { readonly sends: number; readonly usual: number }>;
}

/** How the sends of the last 24 hours ended, which accounts have failures, and which send far more than usual: at most `limit` of each. */
export async function lastDay(
  store: Store,
  { accountId, providerIds }: SendsScope,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<LastDay> {
  const counts = accountId === null ? await countsOfAll(store, now) : await countsOfAccount(store, accountId, now);
  const reach = providerIds === null ? null : await selectIdsOfProviders(store.db, providerIds);
  const sums = { accepted: 0, failed: 0, refused: 0 };
  const failing: { id: string; failed: number; sends: number }[] = [];
  const busy: { id: string; sends: number; usual: number }[] = [];
  for (const { account_id: id, sends, accepted, failed } of counts.sends.values()) {
    if (reach !== null && !reach.has(id)) continue;
    sums.accepted += accepted;
    sums.failed += failed;
    sums.refused += sends - accepted - failed;
    if (failed > 0) failing.push({ id, failed, sends });
    const usual = counts.busy.get(id);
    if (usual !== undefined) busy.push({ id, sends: accepted, usual });
  }
  return {
    sends: sums,
    failing: await named(store, failing.toSorted((one, other) => other.failed - one.failed).slice(0, limit), failing.length),
    busy: await named(store, busy.toSorted((one, other) => other.sends - one.sends).slice(0, limit), busy.length),
  };
}

/** The ids of the accounts of which the last day tells this. */
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
