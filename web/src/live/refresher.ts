import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** How long what is due waits at least after the last round, so that a busy account is asked about once a second and no more. */
const pauseMs = 1000;
/** How late the server may write down a request that it told of. */
const writtenMs = 1000;

/** Has queries asked again, each at most once per second however often it is told to. */
export class Refresher {
  readonly #queryClient: QueryClient;
  readonly #due = new Map<string, QueryKey>();
  readonly #unwritten = new Set<ReturnType<typeof setTimeout>>();
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

  /** The same for answers that know of a request only when it is written down. */
  refreshOnceWritten(...keys: readonly QueryKey[]): void {
    const timer = setTimeout(() => {
      this.#unwritten.delete(timer);
      this.refresh(...keys);
    }, writtenMs);
    this.#unwritten.add(timer);
  }

  /** Forgets what is due. */
  stop(): void {
    for (const timer of this.#unwritten) clearTimeout(timer);
    this.#unwritten.clear();
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
      // An answer under way may be older than the event: it is left to arrive, and asked for once more in the next round.
      if (this.#queryClient.isFetching({ queryKey, type: 'active' }) > 0) continue;
      this.#due.delete(name);
      void this.#queryClient.invalidateQueries({ queryKey });
    }
    this.#plan();
  }
}
