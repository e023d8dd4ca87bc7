/**
 * Limits how much runs at once, and how much of it for one owner, so that one customer's slow work cannot take all. A free slot is given to the owner
 * that has the fewest, among equals in turn, and within one owner in order of arrival. An owner that has reached its share is passed over until one
 * of its own is free. A null owner has no share of its own.
 */
export class Semaphore {
  readonly #total: number;
  readonly #perOwner: number;
  readonly #running = new Map<string, number>();
  /** What starts those who wait, by owner; the owner that was served last comes last. An aborted waiter leaves from the middle. */
  readonly #waiting = new Map<string | null, Set<() => void>>();
  #taken = 0;

  constructor(total: number, perOwner: number) {
    this.#total = total;
    this.#perOwner = perOwner;
  }

  /** Waits for a free slot and returns what frees it again (calling that twice is harmless). Rejects with the signal's reason while waiting. */
  async take(owner: string | null, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#mayStart(owner)) return this.#occupy(owner);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const start = () => resolve(this.#occupy(owner));
    const leave = () => {
      this.#forget(owner, start);
      reject(signal?.reason);
    };
    this.#waiting.set(owner, (this.#waiting.get(owner) ?? new Set()).add(start));
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #mayStart(owner: string | null): boolean {
    return this.#taken < this.#total && this.#runningFor(owner) < this.#perOwner;
  }

  #runningFor(owner: string | null): number {
    return owner === null ? 0 : (this.#running.get(owner) ?? 0);
  }

  #occupy(owner: string | null): () => void {
    this.#taken += 1;
    if (owner !== null) this.#running.set(owner, this.#runningFor(owner) + 1);
    let freed = false;
    return () => {
      if (freed) return;
      freed = true;
      this.#taken -= 1;
      if (owner !== null) this.#countDown(owner);
      this.#startNext();
    };
  }

  #countDown(owner: string): void {
    const left = this.#runningFor(owner) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
  }

  #startNext(): void {
    let fewest = this.#perOwner;
    let next: { readonly owner: string | null; readonly starts: Set<() => void> } | null = null;
    for (const [owner, starts] of this.#waiting) {
      const running = this.#runningFor(owner);
      if (running >= fewest) continue;
      fewest = running;
      next = { owner, starts };
      if (running === 0) break;
    }
    if (next === null) return;
    const { owner, starts } = next;
    this.#waiting.delete(owner);
    this.#waiting.set(owner, starts);
    const [start] = starts;
    if (start === undefined) return;
    this.#forget(owner, start);
    start();
  }

  #forget(owner: string | null, start: () => void): void {
    const starts = this.#waiting.get(owner);
    starts?.delete(start);
    if (starts?.size === 0) this.#waiting.delete(owner);
  }
}
