import { Session } from 'node:inspector/promises';

/** How long no login may have come before memory is given back, in milliseconds. */
const quietMs = 5_000;

/**
 * Gives a thread's memory back to the machine once a run of logins is over. Each leaves some hundred kilobytes of garbage behind; idle numbers make none,
 * so that nothing else would collect it for a long time.
 */
export class MemoryRelease {
  readonly #failed: () => void;
  readonly #fewest: number;
  #logins = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `failed` is called when memory could not be given back; the numbers go on all the same. A run of less than `fewest` logins is not worth the pause. */
  constructor(failed: () => void, fewest = 1) {
    this.#failed = failed;
    this.#fewest = fewest;
  }

  /** A number has logged in. */
  loggedIn(): void {
    this.#logins++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#runIsOver(), quietMs).unref();
  }

  #runIsOver(): void {
    const enough = this.#logins >= this.#fewest;
    this.#logins = 0;
    if (enough) this.#release().catch(this.#failed);
  }

  /** Through the inspector of this thread, because changing V8's flags while other threads run may crash the process. */
  async #release(): Promise<void> {
    const session = new Session();
    session.connect();
    try {
      await session.post('HeapProfiler.collectGarbage');
    } finally {
      session.disconnect();
    }
  }
}
