import { Changes, type Clock, StoreUnavailable } from '../core/index.ts';

/** How long to wait before the first further try, in milliseconds; it doubles with each up to the longest. */
const firstMs = 250;
const longestMs = 5_000;

/** Stores what a network has told, which is known nowhere else: while the store is away it waits and tries again. */
export class StoreWait {
  readonly #changes: Changes;
  #stopped = false;

  constructor(clock: Clock) {
    this.#changes = new Changes(clock);
  }

  /** Waits no longer: a write that fails from now on has failed. */
  stop(): void {
    this.#stopped = true;
    this.#changes.tell();
  }

  /** Rejects with whatever else the write fails with, and with StoreUnavailable once it is stopped. */
  async stored(write: () => Promise<void>): Promise<void> {
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
