import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** The shortest time between two rounds, so that a busy account causes at most about one request per second. */
const pauseMs = 1000;

/** Refetches queries, each at most once per second. */
export class Refresher {
  readonly #queryClient: QueryClient;
  readonly #due = new Map<string, QueryKey>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
  }

  /** The answers under these keys are out of date. */
  refresh(...keys: readonly QueryKey[]): void {
    for (const key of keys) this.#due.set(JSON.stringify(key), key);
    this.#plan();
  }

  /** Cancels what is due. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due.clear();
  }

  #plan(): void {
    if (this.#timer !== null || this.#due.size === 0) return;
    this.#timer = setTimeout(() => this.#round(), Math.max(0, this.#lastAt + pauseMs - performance.now()));
  }

  #round(): void {
    this.#timer = null;
    this.#lastAt = performance.now();
    for (const [name, queryKey] of this.#due) {
      // A fetch that is under way may be older than the event. It is left to finish, and repeated in the next round.
      if (this.#queryClient.isFetching({ queryKey, type: 'active' }) > 0) continue;
      this.#due.delete(name);
      void this.#queryClient.invalidateQueries({ queryKey });
    }
    this.#plan();
  }
}
