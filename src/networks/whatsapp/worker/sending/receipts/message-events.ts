import { Signal, systemClock } from '../../../../../core/index.ts';
import type { MessageEvent, MessageNews } from '../../../../index.ts';
import type { WorkerLog } from '../../library/library-log.ts';

export interface EventStore {
  /** Whether somebody follows such events. */
  wants(event: MessageEvent): boolean;
  /** Resolves when they are stored. */
  store(events: readonly MessageNews[]): Promise<void>;
}

interface Waiting {
  readonly events: readonly MessageNews[];
  readonly settle: (stored: boolean) => void;
}

/** So many entries are stored at once. */
const batchSize = 500;
/** The pause after the store has refused something, in milliseconds; doubled with each further refusal. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Has the events of messages stored, in order, and tries again until that succeeds or the connection ends. The network then repeats what was not
 * acknowledged.
 */
export class MessageEvents {
  readonly #store: EventStore;
  readonly #log: WorkerLog;
  readonly #changes = new Signal(systemClock);
  readonly #waiting: Waiting[] = [];
  #running = false;
  #closed = false;

  constructor(store: EventStore, log: WorkerLog) {
    this.#store = store;
    this.#log = log;
  }

  /** Whether somebody follows such events. */
  wants(event: MessageEvent): boolean {
    return this.#store.wants(event);
  }

  /** True when they are stored, false when the connection has ended before. Never rejects. */
  store(events: readonly MessageNews[]): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ events, settle: resolve });
    if (!this.#running) void this.#run();
    return promise;
  }

  close(): void {
    this.#closed = true;
    this.#changes.notify();
    for (const { settle } of this.#waiting.splice(0)) settle(false);
  }

  async #run(): Promise<void> {
    this.#running = true;
    let refusals = 0;
    while (this.#waiting.length > 0) {
      // What comes in the same turn is stored together.
      if (refusals === 0) await Promise.resolve();
      const batch = this.#waiting.slice(0, batchSize);
      try {
        await this.#store.store(batch.flatMap(({ events }) => events));
      } catch (error) {
        if (this.#closed) break;
        // Logged once per outage.
        if (refusals === 0) this.#log.warn({ err: error }, 'message events could not be stored and are tried again');
        await this.#changes.until(() => this.#closed, Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(refusals, 10)));
        refusals++;
        continue;
      }
      refusals = 0;
      // What was stored is removed first, so that `close` settles only what was not. After `close` everything has been removed.
      if (!this.#closed) this.#waiting.splice(0, batch.length);
      for (const { settle } of batch) settle(true);
    }
    this.#running = false;
  }
}
