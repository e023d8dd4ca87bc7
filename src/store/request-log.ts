import type { Kysely } from 'kysely';
import { readSegment, runsText, segmentText } from './log-records.ts';
import type { Database, RequestRecord, RequestSegment } from './schema.ts';

/** How late a record may be written at most, with room to the second that decisions §8 allow. */
const delayMs = 200;
/**
 * Records are made into text when so many wait. More would make fewer pieces, but objects that wait through a collection of young memory make
 * that collection slow, and every request with it.
 */
const mostWaiting = 64;
/** Segments are written at once when they have so many records: writing a row costs much the same for one record as for all of them. */
const mostGathered = 512;
/** How long a request may take from its id to its record; the longest, a media fetch and a hand-over, stay far below. */
const longestRequestMs = 10 * 60 * 1000;

/** What was gathered of one account. */
interface Gathered {
  readonly runs: string[];
  first: string;
  last: string;
  at: number;
}

/**
 * Gathers request records for a moment and hands them over as segments: one row per account with all its records of that moment. A row per
 * request would cost more than everything else the gateway does for it.
 */
export class RequestLog {
  readonly #write: (segments: RequestSegment[]) => void;
  #waiting: RequestRecord[] = [];
  #gathered = new Map<string | null, Gathered>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `write` is called with each moment's segments and never throws. */
  constructor(write: (segments: RequestSegment[]) => void) {
    this.#write = write;
  }

  /** Notes a request; it is handed over at most 200 ms later. */
  add(record: RequestRecord): void {
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => this.flush(), delayMs).unref();
    if (this.#waiting.length < mostWaiting) return;
    this.#gather();
    if (this.#count >= mostGathered) this.flush();
  }

  /** Hands over what waits, now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#gather();
    if (this.#count === 0) return;
    const segments = Array.from(this.#gathered, ([account_id, { runs, first, last, at }]) => ({
      account_id,
      first_request_id: first,
      last_request_id: last,
      at,
      records: segmentText(runs),
    }));
    this.#gathered = new Map();
    this.#count = 0;
    this.#write(segments);
  }

  #gather(): void {
    this.#count += this.#waiting.length;
    for (const [accountId, records] of Map.groupBy(this.#waiting, (record) => record.account_id)) {
      let gathered = this.#gathered.get(accountId);
      if (gathered === undefined) {
        gathered = { runs: [], first: '', last: '', at: 0 };
        this.#gathered.set(accountId, gathered);
      }
      for (const { request_id, at } of records) {
        if (gathered.first === '' || request_id < gathered.first) gathered.first = request_id;
        if (request_id > gathered.last) gathered.last = request_id;
        if (at > gathered.at) gathered.at = at;
      }
      gathered.runs.push(runsText(records));
    }
    this.#waiting = [];
  }
}

/**
 * The record of a request; undefined when there is none. Ids are UUIDv7, whose order is that of their time, so only segments of about that
 * time are looked at.
 */
export async function readRequest(db: Kysely<Database>, requestId: string): Promise<RequestRecord | undefined> {
  const segments = await db
    .selectFrom('request_log')
    .select('records')
    .where('last_request_id', '>=', requestId)
    .where('last_request_id', '<=', latestOf(requestId))
    .where('first_request_id', '<=', requestId)
    .execute();
  for (const { records } of segments) {
    const found = readSegment(records).find((record) => record.request_id === requestId);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An id later than every one that can share a segment with this. A UUIDv7 begins with 48 bits of milliseconds (RFC 9562 §5.7). */
function latestOf(requestId: string): string {
  const ms = Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
  const hex = (ms + longestRequestMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-ffff`;
}

/** Where to read a part of an account's log. */
interface SegmentRange {
  readonly accountId: string;
  /** No segment that ends before this time (epoch milliseconds). */
  readonly from: number;
  /** No segment with a greater id; null: from the newest on. */
  readonly newest: number | null;
  readonly limit: number;
}

/** The account's segments in the range, newest first, each with its records in the order in which they were answered. */
export async function readSegments(
  db: Kysely<Database>,
  { accountId, from, newest, limit }: SegmentRange,
): Promise<{ readonly id: number; readonly records: readonly RequestRecord[] }[]> {
  const all = db.selectFrom('request_log').select(['id', 'records']).where('account_id', '=', accountId).where('at', '>=', from);
  const segments = newest === null ? all : all.where('id', '<=', newest);
  const rows = await segments.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(({ id, records }) => ({ id, records: readSegment(records) }));
}
