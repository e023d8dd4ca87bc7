import type { Kysely } from 'kysely';
import type { Database, RequestRecord, RequestSegment, Stages } from './schema.ts';

/** How late a record may be written at most, with room to the second that decisions §8 allow. */
const delayMs = 200;
/**
 * A segment is written at once when so many records wait. More would make fewer rows, but objects that wait through a collection of young
 * memory make that collection slow, and every request with it.
 */
const mostWaiting = 64;
/** How long a request may take from its id to its record; the longest, a media fetch and a hand-over, stay far below. */
const longestRequestMs = 10 * 60 * 1000;

/**
 * Gathers request records for a moment and hands them over as segments: one row per account with all its records of that moment. A row per
 * request would cost more than everything else the gateway does for it.
 */
export class RequestLog {
  readonly #write: (segments: RequestSegment[]) => void;
  #waiting: RequestRecord[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** `write` is called with each moment's segments and never throws. */
  constructor(write: (segments: RequestSegment[]) => void) {
    this.#write = write;
  }

  /** Notes a request; it is handed over at most 200 ms later. */
  add(record: RequestRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length >= mostWaiting) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), delayMs).unref();
  }

  /** Hands over what waits, now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const records = this.#waiting;
    this.#waiting = [];
    this.#write([...Map.groupBy(records, (record) => record.account_id).values()].map(toSegment));
  }
}

// Without their names, which would be half of the text. New fields go to the end.
const fields = [
  'request_id',
  'at',
  'duration_ms',
  'account_id',
  'key_id',
  'method',
  'path',
  'status',
  'code',
  'instance_id',
  'message_type',
  'message_id',
  'recipient',
  'idempotency',
  'stages',
] as const satisfies readonly (keyof RequestRecord)[];
const stageNames = ['admission', 'validation', 'claim', 'media', 'network', 'settle'] as const satisfies readonly (keyof Stages)[];

function toRow(record: RequestRecord): unknown[] {
  const row = fields.map((field) => (field === 'stages' ? packStages(record.stages) : record[field]));
  while (row.at(-1) === null) row.pop();
  return row;
}

/** The records in a segment's text. */
export function readSegment(text: string): RequestRecord[] {
  // Written by `toRow`.
  const rows = JSON.parse(text) as unknown[][];
  return rows.map((row) => {
    const value = (field: (typeof fields)[number], i: number) => (field === 'stages' ? unpackStages(row[i]) : (row[i] ?? null));
    return Object.fromEntries(fields.map((field, i) => [field, value(field, i)])) as unknown as RequestRecord;
  });
}

// In microseconds: whole numbers are shorter, and sooner written.
const packStages = (stages: Stages | null) => stages && stageNames.map((name) => inMicroseconds(stages[name]));
const inMicroseconds = (ms: number | null) => ms && Math.round(ms * 1000);

function unpackStages(packed: unknown): Stages | null {
  if (!Array.isArray(packed)) return null;
  const inMilliseconds = (microseconds: unknown) => (typeof microseconds === 'number' ? microseconds / 1000 : null);
  return Object.fromEntries(stageNames.map((name, i) => [name, inMilliseconds(packed[i])])) as unknown as Stages;
}

function toSegment(records: readonly RequestRecord[]): RequestSegment {
  let first = '';
  let last = '';
  let at = 0;
  for (const record of records) {
    if (first === '' || record.request_id < first) first = record.request_id;
    if (record.request_id > last) last = record.request_id;
    if (record.at > at) at = record.at;
  }
  return {
    account_id: records[0]?.account_id ?? null,
    first_request_id: first,
    last_request_id: last,
    at,
    records: JSON.stringify(records.map(toRow)),
  };
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
