import type { Clock, Timer } from './clock.ts';
import { StoreUnavailable } from './errors.ts';
import type { Log } from './log.ts';

interface PeriodicOptions {
  readonly clock: Clock;
  /** The pause after each round; infinite: there are only rounds that `wake` asks for. */
  readonly everyMs: number | (() => number);
  /** The pause before the first round, where it is another one. */
  readonly firstMs?: number;
  work(): unknown;
  /** Not needed where rounds cannot fail. */
  readonly log?: Pick<Log, 'error'> | undefined;
  /** The log's message for a round that failed. */
  readonly failed?: string;
}

/** Does some work in rounds, one after the other with pauses between them. */
export class Periodic {
  readonly #options: PeriodicOptions;
  #timer: Timer | null = null;
  /** When the next round begins, by the stopwatch. */
  #due = Number.POSITIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #stopped = false;

  constructor(options: PeriodicOptions) {
    this.#options = options;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  start(): this {
    this.wake(this.#options.firstMs ?? this.#pauseMs);
    return this;
  }

  /** Has the next round begin after `ms` at the latest, but not before the one that is running has ended. */
  wake(ms = 0): void {
    const due = this.#options.clock.monotonic() + ms;
    if (due >= this.#due) return;
    this.#due = due;
    if (!this.#isRunning) this.#plan();
  }

  /** Ends the rounds. Resolves when the one that is running has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  get #pauseMs(): number {
    const { everyMs } = this.#options;
    return typeof everyMs === 'number' ? everyMs : everyMs();
  }

  #plan(): void {
    this.#timer?.cancel();
    if (this.#stopped || this.#due === Number.POSITIVE_INFINITY) return;
    const { clock } = this.#options;
    this.#timer = clock.after(this.#due - clock.monotonic(), () => {
      this.#running = this.#round();
    });
  }

  async #round(): Promise<void> {
    const { clock, work, log, failed = 'a round of periodic work failed' } = this.#options;
    this.#due = Number.POSITIVE_INFINITY;
    this.#isRunning = true;
    try {
      await work();
    } catch (error) {
      // The store logs its own outages.
      if (!(error instanceof StoreUnavailable)) log?.error({ err: error }, failed);
    }
    this.#isRunning = false;
    this.#due = Math.min(this.#due, clock.monotonic() + this.#pauseMs);
    this.#plan();
  }
}
