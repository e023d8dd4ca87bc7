import { type AuditEntry, endingActions, listAudit } from '../audit/index.ts';
import type { SearchReach } from '../people/index.ts';
import { selectPeopleLike } from '../people/index.ts';
import { type ActivityFilter, listActivity, type Place, requestsBeginning } from '../requests/index.ts';
import type { RequestRecord, Store } from '../store/index.ts';
import { type LooksLike, looksLike } from './looks-like.ts';
import { selectAccountsLike, selectKeysLike, selectNamesWithin, selectNumbersLike, selectProvidersLike } from './queries/search.ts';

/** How many of a kind are found at once. */
const mostOfKind = 5;
/** How many pages of the log are looked through for sends that the asker may see; only one who sees few of many needs more than the first. */
const mostPages = 5;

/** Some of what was found. */
interface Group<Item> {
  readonly items: readonly Item[];
  /** Whether there are others. */
  readonly more: boolean;
}

/** A request of the log with the name of its account; null for a request without a valid key. */
interface FoundRequest {
  readonly record: RequestRecord;
  readonly account: { readonly account_id: string; readonly account_name: string } | null;
}

/** What was found, by kind. */
export type SearchResult = Awaited<ReturnType<typeof search>>;

/**
 * Whatever has this name or a name with this text in it, as far as it is within reach: requests by their id, the message's or the recipient's;
 * numbers, accounts, keys, people, providers, and who ended something that was called so. Looks only where the text can be found.
 */
export async function search(store: Store, reach: SearchReach, text: string, now: number) {
  const like = looksLike(text);
  const { db } = store;
  const limit = mostOfKind + 1;
  return {
    requests: grouped(await findRequests(store, reach, like, now)),
    numbers: grouped(await selectNumbersLike(db, reach, like, limit)),
    accounts: grouped(await selectAccountsLike(db, reach, like, limit)),
    keys: grouped(await selectKeysLike(db, reach, like, limit)),
    people: grouped(like.words === null ? [] : await selectPeopleLike(db, reach, like.words, limit)),
    providers: grouped(reach.providerIds === null ? await selectProvidersLike(db, like, limit) : []),
    changes: grouped(await findEndings(store, reach, text)),
  };
}

/** How what had this name ended, for those who see the audit log of it. */
async function findEndings(store: Store, { providerIds, ownedAccountIds }: SearchReach, name: string): Promise<AuditEntry[]> {
  const places = [
    ...(providerIds === null ? [{}] : providerIds.length > 0 ? [{ providerIds }] : []),
    ...(providerIds === null ? [] : ownedAccountIds.map((accountId) => ({ accountId }))),
  ];
  const found = await Promise.all(
    places.map((place) => listAudit(store, { ...place, name, actions: endingActions, limit: mostOfKind + 1 })),
  );
  // An account may also be of a provider that they administer.
  return [...new Map(found.flat().map((entry) => [entry.id, entry])).values()].sort((a, b) => b.id - a.id);
}

async function findRequests(store: Store, reach: SearchReach, { id, phone, messageId }: LooksLike, now: number): Promise<FoundRequest[]> {
  if (id === null && phone === null && messageId === null) return [];
  // Whoever searches for a request may have made it just now.
  await store.hot.logged();
  const found = id === null ? [] : await withAccounts(store, reach, await requestsBeginning(store, id, mostOfKind + 1));
  if (phone !== null) found.push(...(await findSends(store, reach, { recipient: phone }, now)));
  if (messageId !== null && found.length === 0) found.push(...(await findSends(store, reach, { messageId }, now)));
  return found;
}

/** The newest sends within reach that match. */
async function findSends(store: Store, reach: SearchReach, filter: ActivityFilter, now: number): Promise<FoundRequest[]> {
  const { providerIds, accountIds } = reach;
  const [only = null, ...others] = accountIds;
  const accountId = providerIds?.length === 0 && others.length === 0 ? only : null;
  if (providerIds?.length === 0 && only === null) return [];
  const found: FoundRequest[] = [];
  let cursor: Place | null = null;
  for (let page = 0; page < mostPages && found.length <= mostOfKind; page++) {
    const limit = providerIds === null || accountId !== null ? mostOfKind + 1 : 100;
    const read = await listActivity(store, accountId, filter, { cursor, limit, now });
    found.push(...(await withAccounts(store, reach, read.sends)));
    cursor = read.cursor;
    if (cursor === null) break;
  }
  return found;
}

/** Those of the requests that are within reach; those of nobody's account only operators see. */
async function withAccounts(store: Store, reach: SearchReach, records: readonly RequestRecord[]): Promise<FoundRequest[]> {
  const ids = new Set(records.flatMap(({ account_id }) => (account_id === null ? [] : [account_id])));
  const names = await selectNamesWithin(store.db, reach, [...ids]);
  return records.flatMap((record): FoundRequest[] => {
    if (record.account_id === null) return reach.providerIds === null ? [{ record, account: null }] : [];
    const name = names.get(record.account_id);
    return name === undefined ? [] : [{ record, account: { account_id: record.account_id, account_name: name } }];
  });
}

function grouped<Item>(items: readonly Item[]): Group<Item> {
  return { items: items.slice(0, mostOfKind), more: items.length > mostOfKind };
}
