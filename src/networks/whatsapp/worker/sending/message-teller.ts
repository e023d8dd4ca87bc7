import { Signal, systemClock } from '../../../../core/index.ts';
import type { MessageEvent, MessageNews } from '../../../index.ts';
import type { SendingLog } from './socket.ts';

/** Where what became of messages goes. */
export interface NewsSink {
  /** Whether somebody wants to be told of such events. */
  wants(event: MessageEvent): boolean;
  /** Resolves when it is stored. */
  store(news: readonly MessageNews[]): Promise<void>;
}

interface Waiting {
  readonly news: readonly MessageNews[];
  readonly settle: (stored: boolean) => void;
}

/** So much is stored at once. */
const mostAtOnce = 500;
/** The pause after the store has refused something, in milliseconds; doubled with each further refusal. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Has what became of messages stored, in order, and tries again until that succeeds or the connection ends. The network then repeats what was not
 * acknowledged.
 */
export class MessageTeller {
  readonly #sink: NewsSink;
  readonly #log: SendingLog;
  readonly #changes = new Signal(systemClock);
  readonly #waiting: Waiting[] = [];
  #running = false;
  #closed = false;

  constructor(sink: NewsSink, log: SendingLog) {
    this.#sink = sink;
    this.#log = log;
  }

  /** Whether somebody wants to be told of such events. */
  wants(event: MessageEvent): boolean {
    return this.#sink.wants(event);
  }

  /** True when it is stored, false when the connection has ended before. Never rejects. */
  tell(news: readonly MessageNews[]): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.push({ news, settle: resolve });
    if (!this.#running) void this.#run();
    return promise;
  }

  /** Tells nothing any more. */
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
      const batch = this.#waiting.slice(0, mostAtOnce);
      try {
        await this.#sink.store(batch.flatMap(({ news }) => news));
      } catch (error) {
        if (this.#closed) break;
        // Told once per outage.
        if (refusals === 0) this.#log.warn({ err: error }, 'message events could not be stored and are tried again');
        await this.#changes.until(() => this.#closed, Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(refusals, 10)));
        refusals++;
        continue;
      }
      refusals = 0;
      // What was stored is removed first, so that `close` settles only what was not. A closed teller has removed everything.
      if (!this.#closed) this.#waiting.splice(0, batch.length);
      for (const { settle } of batch) settle(true);
    }
    this.#running = false;
  }
}
