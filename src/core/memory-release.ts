import { Session } from 'node:inspector/promises';

/** How long nothing may have been left behind before memory is given back, in milliseconds; it may take twice as long until that is noticed. */
const quietMs = 5_000;

/**
 * Gives a thread's memory back to the machine once a start, a run of logins or linkings, or a run of sends is over. Loading the program leaves some ten
 * megabytes of garbage behind, a login some hundred kilobytes, a linking more, a send some ten; what is idle afterwards makes none, so that nothing
 * else would collect it for a long time.
 */
export class MemoryRelease {
  readonly #failed: () => void;
  readonly #fewest: number;
  #times = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `failed` is called when memory could not be released; nothing else suffers. What less than `fewest` left behind is not worth the pause. */
  constructor(failed: () => void, fewest = 1) {
    this.#failed = failed;
    this.#fewest = fewest;
  }

  /** Something has left garbage behind. Cheap enough to be called for every send. */
  soon(): void {
    this.#times++;
    if (this.#times >= this.#fewest && this.#timer === null) this.#waitForQuiet();
  }

  #waitForQuiet(): void {
    const before = this.#times;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#times > before) this.#waitForQuiet();
      else void this.#release().catch(this.#failed);
    }, quietMs).unref();
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
