import type { Clock } from '../core/index.ts';

const everyMs = 1000;

export interface ArrearsOptions {
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void; info(fields: object, message: string): void };
}

/**
 * What the store must still be told of sends that have ended, because it could not write when they did (a full disk, a database that is
 * away): an accepted send without a key that is not counted yet, a trial's unit that is still reserved. Kept in memory and tried again
 * every second.
 */
export class Arrears {
  readonly #options: ArrearsOptions;
  #owed: (() => Promise<void>)[] = [];
  #paying: Promise<void> | null = null;
  #waiting = false;

  constructor(options: ArrearsOptions) {
    this.#options = options;
  }

  /** Remembers a write that failed with this error. */
  add(write: () => Promise<void>, error: unknown): void {
    if (this.#owed.push(write) === 1 && this.#paying === null) {
      this.#options.log.error(
        {},
        `sends that have ended cannot be booked and will be as soon as possible: ${error instanceof Error ? error.message : error}`,
      );
    }
    this.#tryLater();
  }

  /** Writes everything owed; rejects when something still cannot be written. A send nobody could ask for again waits for it before it is handed over. */
  settle(): Promise<void> | null {
    if (this.#owed.length > 0) this.#paying ??= this.#pay();
    return this.#paying;
  }

  /** The last try before the store is closed. */
  async stop(): Promise<void> {
    await this.settle()?.catch(() => undefined);
    if (this.#owed.length > 0)
      this.#options.log.error({ lost: this.#owed.length }, 'sends that have ended could not be booked before the stop');
  }

  async #pay(): Promise<void> {
    const writes = this.#owed;
    this.#owed = [];
    // All at once, so that the store can make one transaction of them.
    const outcomes = await Promise.allSettled(writes.map((write) => write()));
    this.#paying = null;
    const failed = writes.filter((_, i) => outcomes[i]?.status === 'rejected');
    this.#owed.unshift(...failed);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure === undefined) {
      if (this.#owed.length === 0) this.#options.log.info({}, 'all sends are booked');
      return;
    }
    this.#tryLater();
    throw failure.reason;
  }

  #tryLater(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    this.#options.clock.after(everyMs, () => {
      this.#waiting = false;
      this.settle()?.catch(() => undefined);
    });
  }
}
