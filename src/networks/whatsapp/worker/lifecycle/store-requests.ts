import type { MessageNews } from '../../../index.ts';
import { packRecords, unpackRecords } from '../../packed-records.ts';
import type { FromWorker, StoreResult } from '../../protocol.ts';
import { type RecordStore, StoreAway } from './link-records.ts';

/** How long the store may take, in milliseconds. */
const storeMs = 30_000;

interface Request {
  resolve(records: Map<string, Uint8Array | null>): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The credential store of one link, reached through the main thread. A request rejects with StoreAway when it may succeed later. Every request is
 * settled in any case, because Signal work of other links may wait behind it.
 */
export class StoreRequests implements RecordStore {
  readonly #link: number;
  readonly #post: (message: FromWorker, transfer?: ArrayBuffer[]) => void;
  readonly #waiting = new Map<number, Request>();
  #last = 0;
  #over = false;

  constructor(link: number, post: (message: FromWorker, transfer?: ArrayBuffer[]) => void) {
    this.#link = link;
    this.#post = post;
  }

  read(names: readonly string[]): Promise<Map<string, Uint8Array | null>> {
    return this.#ask((request) => this.#post({ type: 'read', link: this.#link, request, names }));
  }

  async write(records: ReadonlyMap<string, Uint8Array | null>, sent: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const packed = packRecords(records);
    const messages = packRecords(sent);
    const transfer = [packed.bytes.buffer, messages.bytes.buffer];
    await this.#ask((request) => this.#post({ type: 'write', link: this.#link, request, records: packed, sent: messages }, transfer));
  }

  recall(messageIds: readonly string[]): Promise<Map<string, Uint8Array | null>> {
    return this.#ask((request) => this.#post({ type: 'recall', link: this.#link, request, messageIds }));
  }

  /** Rejects when another server owns the number. */
  async mayLogIn(): Promise<void> {
    await this.#ask((request) => this.#post({ type: 'may_log_in', link: this.#link, request }));
  }

  forget(messageIds: readonly string[]): void {
    if (!this.#over) this.#post({ type: 'forget', link: this.#link, messageIds });
  }

  /** Stores what became of messages. */
  async news(news: readonly MessageNews[]): Promise<void> {
    await this.#ask((request) => this.#post({ type: 'news', link: this.#link, request, news }));
  }

  /** The main thread's answer. */
  settle(request: number, result: StoreResult): void {
    const waiting = this.#waiting.get(request);
    if (waiting === undefined) return;
    this.#waiting.delete(request);
    clearTimeout(waiting.timer);
    if (result.ok) waiting.resolve(result.records === null ? new Map() : unpackRecords(result.records));
    else waiting.reject(result.away ? new StoreAway(result.reason) : new Error(result.reason));
  }

  /** No more answers will come. */
  failAll(reason: string): void {
    this.#over = true;
    for (const request of [...this.#waiting.keys()]) this.settle(request, { ok: false, reason, away: false });
  }

  #ask(post: (request: number) => void): Promise<Map<string, Uint8Array | null>> {
    if (this.#over) return Promise.reject(new Error('the link has ended'));
    const request = ++this.#last;
    return new Promise((resolve, reject) => {
      const late = () => this.settle(request, { ok: false, reason: 'the store did not answer in time', away: true });
      this.#waiting.set(request, { resolve, reject, timer: setTimeout(late, storeMs) });
      post(request);
    });
  }
}
