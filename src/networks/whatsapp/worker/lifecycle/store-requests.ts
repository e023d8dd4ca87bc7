import type { MessageNews } from '../../../index.ts';
import type { FromWorker, StoreRequest, StoreResult } from '../../protocol.ts';
import { packRecords, unpackRecords } from '../../thread-messages.ts';
import { type RecordStore, RecordUnreadable, StoreAway } from './link-records.ts';

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

  async names(after: string): Promise<string[]> {
    return [...(await this.#ask({ type: 'names', after })).keys()];
  }

  read(names: readonly string[]): Promise<Map<string, Uint8Array | null>> {
    return this.#ask({ type: 'read', names });
  }

  async write(records: ReadonlyMap<string, Uint8Array | null>, sent: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const packed = packRecords(records);
    const messages = packRecords(sent);
    await this.#ask({ type: 'write', records: packed, sent: messages }, [packed.bytes.buffer, messages.bytes.buffer]);
  }

  recall(messageIds: readonly string[]): Promise<Map<string, Uint8Array | null>> {
    return this.#ask({ type: 'recall', messageIds });
  }

  /** Nothing waits for this; the main thread logs a failure. */
  forget(messageIds: readonly string[]): void {
    this.#ask({ type: 'forget', messageIds }).catch(() => undefined);
  }

  /** Rejects when another server owns the number. */
  async mayLogIn(): Promise<void> {
    await this.#ask({ type: 'may_log_in' });
  }

  async storeEvents(events: readonly MessageNews[]): Promise<void> {
    await this.#ask({ type: 'message_events', events });
  }

  /** The main thread's answer. */
  settle(request: number, result: StoreResult): void {
    const waiting = this.#waiting.get(request);
    if (waiting === undefined) return;
    this.#waiting.delete(request);
    clearTimeout(waiting.timer);
    if (result.ok) waiting.resolve(result.records === null ? new Map() : unpackRecords(result.records));
    else waiting.reject(errorOf(result));
  }

  /** No more answers will come. */
  failAll(reason: string): void {
    this.#over = true;
    for (const request of [...this.#waiting.keys()]) this.settle(request, { ok: false, reason, fault: null });
  }

  #ask(asked: StoreRequest, transfer: ArrayBuffer[] = []): Promise<Map<string, Uint8Array | null>> {
    if (this.#over) return Promise.reject(new Error('the link has ended'));
    const request = ++this.#last;
    return new Promise((resolve, reject) => {
      const late = () => this.settle(request, { ok: false, reason: 'the store did not answer in time', fault: 'away' });
      this.#waiting.set(request, { resolve, reject, timer: setTimeout(late, storeMs) });
      this.#post({ type: 'store', link: this.#link, request, with: asked }, transfer);
    });
  }
}

function errorOf({ reason, fault }: StoreResult & { readonly ok: false }): Error {
  if (fault === 'away') return new StoreAway(reason);
  return fault === 'unreadable' ? new RecordUnreadable(reason) : new Error(reason);
}
