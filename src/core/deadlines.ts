import type { Clock, Timer } from './clock.ts';

interface Waiting {
  readonly until: number;
  expire(): void;
}

/**
 * Bounds many waits of the same length with one timer. A timer of its own for each send would be among the dearest things a send does,
 * and hardly any ever fires. The waits stand in slots that are emptied, not in a list or a set: whatever these leave behind when they are
 * rebuilt keeps the requests it points to alive until the next collection of old memory.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #slots: (Waiting | null)[] = [];
  readonly #free: number[] = [];
  #timer: Timer | null = null;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** The promise's outcome, or `late` when it takes longer. */
  race<T>(promise: Promise<T>, late: T): Promise<T> {
    return new Promise((resolve, reject) => {
      const slot = this.#free.pop() ?? this.#slots.length;
      this.#slots[slot] = { until: this.#clock.monotonic() + this.#ms, expire: () => resolve(late) };
      this.#timer ??= this.#clock.after(this.#ms, () => this.#expire());
      promise.then(
        (value) => {
          this.#empty(slot);
          resolve(value);
        },
        (error: unknown) => {
          this.#empty(slot);
          reject(error);
        },
      );
    });
  }

  #empty(slot: number): void {
    this.#slots[slot] = null;
    this.#free.push(slot);
  }

  #expire(): void {
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const waiting of this.#slots) {
      if (waiting === null) continue;
      // Its slot is emptied when the promise ends at last; until then expiring again does nothing.
      if (waiting.until <= now) waiting.expire();
      else if (waiting.until < next) next = waiting.until;
    }
    this.#timer = next === Number.POSITIVE_INFINITY ? null : this.#clock.after(next - now, () => this.#expire());
  }
}
