import type { RequestRecord } from './schema.ts';

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
  #writing: Promise<unknown> = Promise.resolve();

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
    this.#writing = Promise.all([this.#writing, this.#store(records)]);
  }

  async #store(records: readonly RequestRecord[]): Promise<void> {
    const writes = await Promise.allSettled(records.map((record) => this.#options.write(record)));
    const stored = records.filter((_, place) => writes[place]?.status === 'fulfilled');
    if (stored.length < records.length) this.#options.lost(records.length - stored.length);
    if (stored.length > 0) for (const listener of this.#listeners) listener(stored);
  }
}
