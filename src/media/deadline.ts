import type { Clock, Timer } from '../core/index.ts';

/** The time limits of some work: a total, counted from now on, and within it one for the current phase. */
export class Deadline {
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #total: Timer;
  #current: Timer | null = null;

  constructor(clock: Clock, totalMs: number, reason: () => Error) {
    this.#clock = clock;
    this.#total = clock.after(totalMs, () => this.abort(reason()));
  }

  /** Aborted when a limit passes or `abort` is called; its reason is the error to answer with. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins the next phase: unless another one begins within `ms`, the work is aborted with `reason()`. */
  phase(ms: number, reason: () => Error): void {
    this.#current?.cancel();
    this.#current = this.signal.aborted ? null : this.#clock.after(ms, () => this.abort(reason()));
  }

  abort(reason: Error): void {
    this.end();
    this.#controller.abort(reason);
  }

  /** The promise's value, or the abort's reason as soon as there is one. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const aborted = Promise.withResolvers<never>();
    const onAbort = () => aborted.reject(this.signal.reason);
    this.signal.addEventListener('abort', onAbort);
    try {
      this.signal.throwIfAborted();
      return await Promise.race([promise, aborted.promise]);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
      // The loser of the race may still fail, and nobody else is listening to it.
      promise.catch(() => {});
    }
  }

  /** Stops all timers. */
  end(): void {
    this.#total.cancel();
    this.#current?.cancel();
    this.#current = null;
  }
}
