import type { Clock } from './clock.ts';

/** Lets those who wait for a state look again whenever it has changed. */
export class Changes {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something has changed. */
  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when the condition holds or `waitMs` are over. */
  async until(condition: () => boolean, waitMs: number): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const listener = () => {
      if (condition()) resolve();
    };
    const timer = this.#clock.after(waitMs, resolve);
    this.#listeners.add(listener);
    try {
      await promise;
    } finally {
      timer.cancel();
      this.#listeners.delete(listener);
    }
  }
}
