import { type ErrorCode, GatewayError } from '../core/index.ts';
import type { MessageType } from '../kinds/index.ts';
import { type RequestName, type RequestRecord, readRequest, readSegments, type Store } from '../store/index.ts';
import { storedId } from './terms.ts';

const keptMs = 30 * 24 * 60 * 60 * 1000;
const mostPerPage = 100;
/** How many segments are read at once; each holds up to some hundred requests, and reading its JSON holds everybody else up. */
const segmentsAtOnce = 25;
/**
 * How many segments and requests one page may look through. Recipients, messages and failures are found by what is noted of them; a page that
 * filters by anything else ends after so many and says how far back it has looked.
 */
const mostSegments = 1000;
const mostRequests = 10_000;

/** A send as the request log tells it: never its content. */
export interface SendRecord extends RequestRecord {
  readonly account_id: string;
  readonly message_type: string;
}

/** A filter of sends; an absent field matches all. */
export interface ActivityFilter {
  readonly instanceId?: string | undefined;
  readonly messageType?: MessageType | undefined;
  /** `failed`: with any error. */
  readonly outcome?: 'sent' | 'failed' | ErrorCode | undefined;
  /** Digits. */
  readonly recipient?: string | undefined;
  readonly messageId?: string | undefined;
  /** Asked for with this API key. */
  readonly keyId?: string | undefined;
  /** Answered at this moment or later, in epoch milliseconds. */
  readonly since?: number | undefined;
}

export interface ActivityPage {
  /** Newest first. May be empty although there is more: a page looks through a bounded part of the log. */
  readonly sends: readonly SendRecord[];
  /** For the next page; null when there is none. */
  readonly cursor: string | null;
  /** When the oldest request that was looked at for this page was answered; null when there was none. */
  readonly searchedBackTo: number | null;
}

/** Whether the record is of a send that an account asked for, accepted or not. */
export function isSend(record: RequestRecord): record is SendRecord {
  return record.account_id !== null && record.message_type !== null;
}

/**
 * A page of the sends of the last 30 days, at most 100, of one account or of all (null). All pages together have each send once that was there
 * when the first was read. Throws GatewayError `invalid_request` for a cursor that no page gave.
 */
export async function listActivity(
  store: Store,
  accountId: string | null,
  filter: ActivityFilter,
  page: { readonly cursor: string | null; readonly limit: number; readonly now: number },
): Promise<ActivityPage> {
  const from = Math.max(page.now - keptMs, filter.since ?? 0);
  const limit = Math.min(Math.max(page.limit, 1), mostPerPage);
  const name = nameIn(filter, accountId);
  const sends: SendRecord[] = [];
  let place = page.cursor === null ? null : readCursor(page.cursor);
  let searchedBackTo: number | null = null;
  let looked = 0;

  for (let read = 0; read < mostSegments; read += segmentsAtOnce) {
    const { segments, next } = await readSegments(store, { accountId, name, from, newest: newestOf(place), limit: segmentsAtOnce });
    for (const { id, records } of segments) {
      let before = place?.segment === id ? Math.min(place.before, records.length) : records.length;
      for (let record = records[before - 1]; record !== undefined; record = records[before - 1]) {
        if (isSend(record) && record.at >= from && matches(record, filter)) {
          if (sends.length >= limit) return { sends, cursor: cursorOf({ segment: id, before }), searchedBackTo };
          sends.push(record);
        }
        searchedBackTo = record.at;
        before--;
        looked++;
      }
    }
    if (next === null) return { sends, cursor: null, searchedBackTo };
    place = { segment: next + 1, before: 0 };
    if (looked >= mostRequests) break;
    // Lets waiting requests through.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { sends, cursor: place === null ? null : cursorOf(place), searchedBackTo };
}

/** The most telling name that the filter asks for: it leads to the parts of the log that may have such sends. */
function nameIn({ messageId, recipient, outcome, instanceId }: ActivityFilter, accountId: string | null): RequestName | null {
  if (messageId !== undefined) return { kind: 'message', value: messageId };
  if (recipient !== undefined) return { kind: 'recipient', value: recipient };
  if (outcome === undefined || outcome === 'sent') return null;
  return { kind: 'failed', value: instanceId === undefined ? accountId : storedId(instanceId) };
}

/** The record of the account's request; undefined when the log has none with this id, or another account's. */
export async function findRequestOf(store: Store, accountId: string, requestId: string): Promise<RequestRecord | undefined> {
  const record = await findRecord(store, requestId);
  return record?.account_id === accountId ? record : undefined;
}

/** The record of a request, also of one that was answered here a moment ago; undefined when the log has none with this id. */
export async function findRecord({ db, hot }: Pick<Store, 'db' | 'hot'>, requestId: string): Promise<RequestRecord | undefined> {
  const id = storedId(requestId);
  const record = await readRequest(db, id);
  if (record !== undefined) return record;
  await hot.logged();
  return readRequest(db, id);
}

function matches(send: SendRecord, { instanceId, messageType, outcome, recipient, messageId, keyId }: ActivityFilter): boolean {
  if (instanceId !== undefined && send.instance_id !== storedId(instanceId)) return false;
  if (messageType !== undefined && send.message_type !== messageType) return false;
  if (recipient !== undefined && send.recipient !== recipient) return false;
  if (messageId !== undefined && send.message_id !== messageId) return false;
  if (keyId !== undefined && send.key_id !== storedId(keyId)) return false;
  switch (outcome) {
    case undefined:
      return true;
    case 'sent':
      return send.code === null;
    case 'failed':
      return send.code !== null;
    default:
      return send.code === outcome;
  }
}

/** Where a page ended: in this segment, with this many of its records still to come. */
interface Place {
  readonly segment: number;
  readonly before: number;
}

/** The newest segment with something still to come. */
function newestOf(place: Place | null): number | null {
  if (place === null) return null;
  return place.before > 0 ? place.segment : place.segment - 1;
}

function cursorOf({ segment, before }: Place): string {
  return Buffer.from(`${segment}.${before}`).toString('base64url');
}

function readCursor(cursor: string): Place {
  const [, segment, before] = /^(\d{1,15})\.(\d{1,4})$/.exec(Buffer.from(cursor.slice(0, 64), 'base64url').toString()) ?? [];
  if (segment === undefined || before === undefined)
    throw new GatewayError('invalid_request', 'cursor must come from an earlier page.', { field: 'cursor' });
  return { segment: Number(segment), before: Number(before) };
}
