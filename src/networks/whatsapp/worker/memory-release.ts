import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How long no login may have come before memory is given back, in milliseconds. */
const quietMs = 5_000;

/**
 * Gives memory back to the machine once a run of logins is over. Each leaves some hundred kilobytes of garbage behind; idle numbers make none, so
 * that nothing else would collect it for a long time.
 */
export class MemoryRelease {
  #timer: NodeJS.Timeout | undefined;
  #collect: (() => void) | null = null;

  /** A number has logged in. */
  loggedIn(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#release(), quietMs).unref();
  }

  #release(): void {
    if (this.#collect === null) {
      setFlagsFromString('--expose-gc');
      this.#collect = runInNewContext('gc') as () => void;
    }
    this.#collect();
  }
}
