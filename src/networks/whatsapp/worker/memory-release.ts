import { Session } from 'node:inspector/promises';

/** How long no login may have come before memory is given back, in milliseconds. */
const quietMs = 5_000;
/** After how many linked numbers it is given back in between: what is allocated meanwhile lies between the garbage and keeps its place from being given back. */
const linkedAtOnce = 10;

/**
 * Gives memory back to the machine once a run of logins is over. Each leaves some hundred kilobytes of garbage behind, and linking a number a megabyte;
 * idle numbers make none, so that nothing else would collect it for a long time.
 */
export class MemoryRelease {
  readonly #failed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #linked = 0;

  /** `failed` is called when memory could not be given back; the numbers go on all the same. */
  constructor(failed: () => void) {
    this.#failed = failed;
  }

  /** A number has logged in. */
  loggedIn(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#release().catch(this.#failed), quietMs).unref();
  }

  /** A phone has linked a number. */
  linked(): void {
    this.#linked = (this.#linked + 1) % linkedAtOnce;
    if (this.#linked === 0) this.#release().catch(this.#failed);
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
