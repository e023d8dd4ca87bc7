import { setImmediate } from 'node:timers/promises';
import { type ErrorCode, failureCodes } from '../core/index.ts';
import type { MessageType } from '../kinds/index.ts';
import { existingAccount, type RequestRecord, type Store } from '../store/index.ts';
import { type Place, type Scope, selectSends } from './queries.ts';

const keptMs = 30 * 24 * 60 * 60 * 1000;
const mostPerPage = 100;
/** An embedded store reads on the thread that serves requests: so many rows at a time, and requests in between. */
const rowsAtOnce = 250;
/**
 * How many sends one page may look through. Recipients, messages and failures have an index; a page that filters by anything else ends after so many
 * with how far back it has looked.
 */
const mostLooked = 10_000;

/** A send in the request log: never its content. */
export interface SendRecord extends RequestRecord {
  readonly account_id: string;
  readonly message_type: string;
}

/** A filter of sends; an absent field matches all. */
export interface ActivityFilter {
  readonly instanceId?: string | undefined;
  readonly messageType?: MessageType | undefined;
  /** `failed`: with any error. `4xx`: the request was at fault. `5xx`: the gateway or the network was (`isFailure`). */
  readonly outcome?: 'sent' | 'failed' | '4xx' | '5xx' | ErrorCode | undefined;
  /** Digits. */
  readonly recipient?: string | undefined;
  readonly messageId?: string | undefined;
  /** Asked for with this API key. */
  readonly keyId?: string | undefined;
  /** Answered at this moment or later, in epoch milliseconds. */
  readonly since?: number | undefined;
  /** Answered before this moment. Of all accounts, the log is looked through from its newest request all the same. */
  readonly until?: number | undefined;
}

export interface ActivityPage {
  /** Newest first. May be empty although there is more: a page looks through a bounded part of the log. */
  readonly sends: readonly SendRecord[];
  /** Where the next page begins; null when there is none. The log's ids are those of all accounts together: nobody outside may read them. */
  readonly cursor: Place | null;
  /** When the oldest request that was looked at for this page was answered; null when there was none. */
  readonly searchedBackTo: number | null;
}

/** Whether the record is of a send that an account asked for, accepted or not. */
export function isSend(record: RequestRecord): record is SendRecord {
  return record.account_id !== null && record.message_type !== null;
}

/**
 * A page of the sends of the last 30 days, at most 100, of one account or of all (null). All pages together have each send once that was there
 * when the first was read; a search for a message or a recipient finds what was answered here a moment ago.
 */
export async function listActivity(
  { db, hot }: Pick<Store, 'db' | 'hot'>,
  accountId: string | null,
  filter: ActivityFilter,
  page: { readonly cursor: Place | null; readonly limit: number; readonly now: number },
): Promise<ActivityPage> {
  const from = Math.max(page.now - keptMs, filter.since ?? 0);
  const end = filter.until ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(Math.max(page.limit, 1), mostPerPage);
  const scope = scopeOf(filter, accountId);
  const sends: SendRecord[] = [];
  let place = page.cursor ?? startOf(scope, filter);
  let searchedBackTo: number | null = null;
  const isOwn = ({ account_id }: RequestRecord) => accountId === null || account_id === accountId;
  if (filter.messageId !== undefined || filter.recipient !== undefined) await hot.logged();

  // Most pages are filled by the first rows.
  for (let looked = 0, most = limit + 1; looked < mostLooked; looked += most, most = rowsAtOnce) {
    const rows = await selectSends(db, scope, place, most);
    for (const { place: here, record } of rows) {
      if (isOwn(record) && isSend(record) && record.at >= from && record.at < end && matches(record, filter)) {
        if (sends.length >= limit) return { sends, cursor: place, searchedBackTo };
        sends.push(record);
      }
      place = here;
      // Of others nothing is revealed, not even when they sent.
      if (isOwn(record)) searchedBackTo = record.at;
    }
    if (rows.length < most || rows.every(({ place }) => place.at < from)) return { sends, cursor: null, searchedBackTo };
    await setImmediate();
  }
  return { sends, cursor: place, searchedBackTo };
}

/**
 * The newest sends of the last 30 days that match, at most `limit`, of one account or of all (null). Looks through the whole log if need be.
 * Throws OperatorError for an unknown account.
 */
export async function listSends(
  store: Store,
  accountId: string | null,
  filter: ActivityFilter,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<SendRecord[]> {
  const account = accountId === null ? null : await existingAccount(store.db, accountId);
  const found: SendRecord[] = [];
  let cursor: Place | null = null;
  do {
    const page = await listActivity(store, account, filter, { cursor, limit: limit - found.length, now });
    found.push(...page.sends);
    cursor = page.cursor;
  } while (cursor !== null && found.length < limit);
  return found;
}

/** The number's newest failures of the last 30 days, newest first. */
export async function lastFailures(
  store: Store,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  page: { readonly limit: number; readonly now: number },
): Promise<readonly SendRecord[]> {
  return (await listActivity(store, accountId, { instanceId: id, outcome: 'failed' }, { cursor: null, ...page })).sends;
}

/** The narrowest of the scopes that have all such sends. */
function scopeOf({ messageId, recipient, outcome, instanceId }: ActivityFilter, accountId: string | null): Scope {
  if (messageId !== undefined) return { by: { column: 'message_id', value: messageId }, failed: false };
  if (recipient !== undefined) return { by: { column: 'recipient', value: recipient }, failed: false };
  const ofAccount = accountId === null ? null : { column: 'account_id' as const, value: accountId };
  if (outcome === undefined || outcome === 'sent') return { by: ofAccount, failed: false };
  return { by: instanceId === undefined ? ofAccount : { column: 'instance_id', value: stored(instanceId) }, failed: true };
}

/** Ids are stored in lower case, and typed or pasted in any. */
function stored(id: string): string {
  return id.toLowerCase();
}

function matches(send: SendRecord, { instanceId, messageType, outcome, recipient, messageId, keyId }: ActivityFilter): boolean {
  if (instanceId !== undefined && send.instance_id !== stored(instanceId)) return false;
  if (messageType !== undefined && send.message_type !== messageType) return false;
  if (recipient !== undefined && send.recipient !== recipient) return false;
  if (messageId !== undefined && send.message_id !== messageId) return false;
  if (keyId !== undefined && send.key_id !== stored(keyId)) return false;
  switch (outcome) {
    case undefined:
      return true;
    case 'sent':
      return send.code === null;
    case 'failed':
      return send.code !== null;
    case '4xx':
      return send.code !== null && !failureCodes.includes(send.code);
    case '5xx':
      return send.code !== null && failureCodes.includes(send.code);
    default:
      return send.code === outcome;
  }
}

/** The place that everything wanted comes after; null: the beginning. Of all accounts the log is not in the order of its times. */
function startOf({ by }: Scope, { until }: ActivityFilter): Place | null {
  return by === null || until === undefined ? null : { at: until, id: 0 };
}
