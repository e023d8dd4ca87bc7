import type { Clock, Timer } from '../core/index.ts';
import { logFailure } from './log-failure.ts';

interface RoundsOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  work(): Promise<void>;
  readonly log: { error(fields: object, message: string): void };
}

/** Does some work again and again, with a pause after each time. */
export class Rounds {
  readonly #options: RoundsOptions;
  #stopped = false;
  #timer: Timer | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, everyMs, work, log } = this.#options;
    this.#timer = clock.after(everyMs, () => {
      this.#running = work()
        .catch((error: unknown) => logFailure(log, error))
        .finally(() => {
          if (!this.#stopped) this.start();
        });
    });
  }

  /** Resolves when what is being done has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }
}
