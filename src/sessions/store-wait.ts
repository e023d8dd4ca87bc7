import { type Clock, Signal, StoreUnavailable } from '../core/index.ts';

/** How long to wait before the second try, in milliseconds. The wait doubles with each try, up to the longest. */
const firstMs = 250;
const longestMs = 5_000;

/** Stores what a network has said, which no one else knows: it tries again while the store is unavailable. */
export class StoreWait {
  readonly #changes: Signal;
  #stopped = false;

  constructor(clock: Clock) {
    this.#changes = new Signal(clock);
  }

  /** Stops trying again: from now on a failed write rejects at once. */
  stop(): void {
    this.#stopped = true;
    this.#changes.notify();
  }

  /** Rejects when the write fails for another reason, and with StoreUnavailable after `stop`. */
  async stored<T>(write: () => Promise<T>): Promise<T> {
    for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 2, longestMs)) {
      try {
        return await write();
      } catch (error) {
        if (this.#stopped || !(error instanceof StoreUnavailable)) throw error;
        await this.#changes.until(() => this.#stopped, waitMs);
      }
    }
  }
}
