import { Session } from 'node:inspector/promises';

/** How long nothing may have been left behind before memory is given back, in milliseconds. */
const quietMs = 5_000;

/**
 * Gives a thread's memory back to the machine once a start, or a run of logins or of linkings, is over. Loading the program leaves some ten megabytes of
 * garbage behind, a login some hundred kilobytes, a linking more; idle numbers make none, so that nothing else would collect it for a long time.
 */
export class MemoryRelease {
  readonly #failed: () => void;
  readonly #fewest: number;
  #times = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `failed` is called when memory could not be given back; the numbers go on all the same. What less than `fewest` left behind is not worth the pause. */
  constructor(failed: () => void, fewest = 1) {
    this.#failed = failed;
    this.#fewest = fewest;
  }

  /** Something has left garbage behind. */
  soon(): void {
    this.#times++;
    clearTimeout(this.#timer);
    if (this.#times >= this.#fewest) this.#timer = setTimeout(() => void this.#release().catch(this.#failed), quietMs).unref();
  }

  /** Through the inspector of this thread, because changing V8's flags while other threads run may crash the process. */
  async #release(): Promise<void> {
    this.#times = 0;
    const session = new Session();
    session.connect();
    try {
      await session.post('HeapProfiler.collectGarbage');
    } finally {
      session.disconnect();
    }
  }
}
