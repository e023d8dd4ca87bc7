import type { Clock } from './clock.ts';

/** A condition variable: whoever waits for a condition looks at it again with every `notify`. */
export class Signal {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has everybody who waits look at its condition. */
  notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when the condition is true or `waitMs` are over. */
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
