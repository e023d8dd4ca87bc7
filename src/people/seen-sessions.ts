import { type Clock, type Log, StoreUnavailable } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { noteSeen } from './queries/users.ts';

const seenEveryMs = 5 * 60 * 1000;

/** Notes that sessions are in use, at most every few minutes. Nobody waits for it: pages open also while the store cannot be written. */
export class SeenSessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'error'>;
  /** By the session's id. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Pick<Log, 'error'> }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Notes that a session is in use; `seenAt`: what is stored. */
  note({ sessionId, seenAt }: { readonly sessionId: string; readonly seenAt: number }): void {
    const now = this.#clock.now();
    if (now - seenAt < seenEveryMs || this.#writing.has(sessionId)) return;
    const written = noteSeen(this.#store.db, sessionId, now)
      .catch((err: unknown) => {
        // The next page tries again, and the store logs its own troubles.
        if (!(err instanceof StoreUnavailable)) this.#log.error({ err }, 'it could not be noted that a session is in use');
      })
      .finally(() => this.#writing.delete(sessionId));
    this.#writing.set(sessionId, written);
  }

  /** Resolves when everything that was noted so far is written, or has failed. */
  async idle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
