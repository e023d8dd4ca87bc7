import { sql } from 'kysely';
import { dayMs, hourMs, isFailure, type Stages, stageNames } from '../core/index.ts';
import type { Database, NumberSends, RequestRecord, RequestRow } from './schema.ts';

/** How late a record may be written at most, with room to the second that decisions §8 allow. */
const delayMs = 200;
/** So many are written at once: more would hold up the requests of that moment, and objects that wait long make collecting garbage slow. */
const mostWaiting = 64;

/** Called with requests that can be read now. */
export type LoggedListener = (requests: readonly RequestRecord[]) => void;

interface RequestLogOptions {
  /** Stores a record together with the others of the moment. Rejects when it cannot. */
  write(record: RequestRecord): Promise<void>;
  /** So many records could not be stored. */
  lost(records: number): void;
}

/** Gathers request records for a moment and writes them together, after their requests have been answered. */
export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #listeners: LoggedListener[] = [];
  #waiting: RequestRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Calls the listener from now on whenever requests have been stored. */
  onLogged(listener: LoggedListener): void {
    this.#listeners.push(listener);
  }

  /** Notes a request; it is stored at most 200 ms later. */
  add(record: RequestRecord): void {
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => this.flush(), delayMs).unref();
    if (this.#waiting.length >= mostWaiting) this.flush();
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
    if (this.#waiting.length === 0) return;
    const records = this.#waiting;
    this.#waiting = [];
    // Without a value: each would hold the one before it, back to the start of the process.
    this.#writing = Promise.all([this.#writing, this.#store(records)]).then(() => undefined);
  }

  async #store(records: readonly RequestRecord[]): Promise<void> {
    const writes = await Promise.allSettled(records.map((record) => this.#options.write(record)));
    const stored = records.filter((_, place) => writes[place]?.status === 'fulfilled');
    if (stored.length < records.length) this.#options.lost(records.length - stored.length);
    if (stored.length > 0) for (const listener of this.#listeners) listener(stored);
  }
}

/** The columns of a request in the order in which a batch is written. */
export const requestColumns = [
  'request_id',
  'at',
  'duration_ms',
  'account_id',
  'key_id',
  'person_id',
  'person_email',
  'method',
  'path',
  'status',
  'code',
  'error_message',
  'instance_id',
  'message_type',
  'message_id',
  'recipient',
  'media_host',
  'idempotency',
  'stages',
] as const satisfies readonly (keyof RequestRecord)[];

export function requestRow(record: RequestRecord) {
  return { ...record, stages: record.stages === null ? null : stagesText(record.stages) };
}

export function requestRecord({ id: _, ...row }: RequestRow): RequestRecord {
  return { ...row, stages: row.stages === null ? null : stagesIn(row.stages) };
}

/** Whole microseconds of each stage, as a JSON array: a quarter of what names and fractions would take. */
function stagesText(stages: Stages): string {
  return JSON.stringify(stageNames.map((name) => (stages[name] === null ? null : Math.round(stages[name] * 1000))));
}

function stagesIn(text: string): Stages {
  // Written by `stagesText`.
  const written = JSON.parse(text) as readonly (number | null)[];
  const msOf = (microseconds: number | null = null) => (microseconds === null ? null : microseconds / 1000);
  return Object.fromEntries(stageNames.map((name, place) => [name, msOf(written[place])])) as Stages;
}

/** Adds a number's sends to those of its day that were counted before. */
export const addUpSends = sql`
  on conflict (instance_id, account_id, day) do update set accepted = number_sends.accepted + excluded.accepted,
    refused = number_sends.refused + excluded.refused, failed = number_sends.failed + excluded.failed,
    last_at = case when excluded.last_at > number_sends.last_at then excluded.last_at else number_sends.last_at end`;

/** The sends among these requests by account, hour and outcome, and by number and day; what was answered from an earlier send counts nowhere. */
export function countsOf(records: Iterable<RequestRecord>) {
  const outcomes = new Map<string, Database['send_outcomes']>();
  const numbers = new Map<string, NumberSends>();
  for (const { account_id, instance_id, message_type, at, status, code, idempotency } of records) {
    if (account_id === null || message_type === null || (code === null && idempotency === 'replayed')) continue;
    const hour = Math.floor(at / hourMs);
    const key = `${account_id} ${hour} ${code ?? ''}`;
    outcomes.set(key, { hour, account_id, code: code ?? '', count: (outcomes.get(key)?.count ?? 0) + 1 });
    if (instance_id === null) continue;
    const day = at - (at % dayMs);
    const name = `${instance_id} ${account_id} ${day}`;
    const sends = numbers.get(name) ?? { instance_id, account_id, day, accepted: 0, refused: 0, failed: 0, last_at: 0 };
    numbers.set(name, sends);
    sends[code === null ? 'accepted' : isFailure(status) ? 'failed' : 'refused']++;
    if (code === null) sends.last_at = Math.max(sends.last_at, at);
  }
  return { outcomes, numbers };
}
