import type { Kysely } from 'kysely';
import { readSegment, runsText, segmentText } from './log-records.ts';
import { segmentsNamed } from './request-names/find.ts';
import type { RequestName } from './request-names/names.ts';
import type { Database, RequestRecord, RequestSegment } from './schema.ts';
import type { Store } from './store.ts';

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

/** Called with an account and its requests when they can be read. Reading them costs something, so it is left to those who want them. */
export type LoggedListener = (accountId: string, requests: () => readonly RequestRecord[]) => void;

interface RequestLogOptions {
  /** Stores a segment. Rejects when it cannot. */
  write(segment: RequestSegment): Promise<void>;
  /** So many records could not be stored. */
  lost(records: number): void;
}

/**
 * Gathers request records for a moment and stores them as segments: one row per account with all its records of that moment. A row per
 * request would cost more than everything else the gateway does for it.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #listeners: LoggedListener[] = [];
  #waiting: RequestRecord[] = [];
  #gathered = new Map<string | null, Gathered>();
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Calls the listener from now on whenever requests of an account have been stored. */
  onLogged(listener: LoggedListener): void {
    this.#listeners.push(listener);
  }

  /** Notes a request; it is stored at most 200 ms later. */
  add(record: RequestRecord): void {
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => this.flush(), delayMs).unref();
    if (this.#waiting.length < mostWaiting) return;
    this.#gather();
    if (this.#count >= mostGathered) this.flush();
  }

  /** Stores what waits, now. Resolves when everything noted until now is stored or lost. */
  async logged(): Promise<void> {
    this.flush();
    await this.#writing;
  }

  /** Begins to store what waits. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#gather();
    if (this.#count === 0) return;
    const writes = Array.from(this.#gathered, ([account_id, { runs, first, last, at }]) =>
      this.#store({ account_id, first_request_id: first, last_request_id: last, at, records: segmentText(runs) }),
    );
    this.#gathered = new Map();
    this.#count = 0;
    this.#writing = Promise.all([this.#writing, ...writes]);
  }

  async #store(segment: RequestSegment): Promise<void> {
    const { account_id: accountId, records } = segment;
    const { write, lost } = this.#options;
    try {
      await write(segment);
    } catch {
      lost(readSegment(records).length);
      return;
    }
    if (accountId == null) return;
    for (const listener of this.#listeners) listener(accountId, () => readSegment(records));
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

/** The record of a request; undefined when there is none. */
export async function readRequest(db: Kysely<Database>, requestId: string): Promise<RequestRecord | undefined> {
  return (await requestsBetween(db, requestId, requestId, 1))[0];
}

/** An id as long as it must be to name a moment: the milliseconds of a UUIDv7 are its first twelve digits. */
const shortestBeginning = 'xxxxxxxx-xxxx'.length;

/** The requests whose ids begin so; none for a beginning that does not name a moment. */
export async function requestsBeginning(db: Kysely<Database>, id: string, limit: number): Promise<RequestRecord[]> {
  if (id.length < shortestBeginning) return [];
  return requestsBetween(db, id, `${id}${'ffffffff-ffff-ffff-ffff-ffffffffffff'.slice(id.length)}`, limit);
}

/**
 * The requests with ids from `first` to `last`. Ids are UUIDv7, whose order is that of their time, so only segments of about that time are
 * looked at.
 */
async function requestsBetween(db: Kysely<Database>, first: string, last: string, limit: number): Promise<RequestRecord[]> {
  const segments = await db
    .selectFrom('request_log')
    .select('records')
    .where('last_request_id', '>=', first)
    .where('last_request_id', '<=', latestOf(last))
    .where('first_request_id', '<=', last)
    .execute();
  const found: RequestRecord[] = [];
  for (const { records } of segments) {
    found.push(...readSegment(records).filter(({ request_id }) => request_id >= first && request_id <= last));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** An id later than every one that can share a segment with this. A UUIDv7 begins with 48 bits of milliseconds (RFC 9562 §5.7). */
function latestOf(requestId: string): string {
  const ms = Number.parseInt(requestId.slice(0, 8) + requestId.slice(9, 13), 16);
  const hex = (ms + longestRequestMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-ffff`;
}

/** Where to read a part of the log. */
interface SegmentRange {
  /** null: all accounts, and requests of none. */
  readonly accountId: string | null;
  /** Only segments that may have a send with this name; null: all. */
  readonly name: RequestName | null;
  /** No segment that ends before this time (epoch milliseconds). */
  readonly from: number;
  /** No segment with a greater id; null: from the newest on. */
  readonly newest: number | null;
  readonly limit: number;
}

/** A part of the log, newest first. */
interface SegmentsRead {
  /** Each with its records in the order in which they were answered. */
  readonly segments: readonly { readonly id: number; readonly records: readonly RequestRecord[] }[];
  /** The newest segment that may follow; null when there is none. */
  readonly next: number | null;
}

/** The segments in the range, newest first, at most `limit` of them. */
export async function readSegments(store: Pick<Store, 'db' | 'dialect'>, range: SegmentRange): Promise<SegmentsRead> {
  const { accountId, name, from, newest, limit } = range;
  let query = store.db.selectFrom('request_log').select(['id', 'records']).where('at', '>=', from);
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  const named = name === null ? null : await segmentsNamed(store, name, { accountId, newest, limit });
  if (named?.length === 0) return { segments: [], next: null };
  if (named !== null) query = query.where('id', 'in', named);
  else if (newest !== null) query = query.where('id', '<=', newest);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  const last = named === null ? rows.at(-1)?.id : named.at(-1);
  const mayFollow = (named ?? rows).length >= limit && last !== undefined;
  return { segments: rows.map(({ id, records }) => ({ id, records: readSegment(records) })), next: mayFollow ? last - 1 : null };
}
