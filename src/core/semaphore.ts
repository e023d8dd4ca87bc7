interface Waiter {
  readonly owner: string | null;
  readonly start: () => void;
}

/**
 * Limits how much runs at once, and how much of it for one owner, so that one customer's slow work cannot take all. Slots are given in order of
 * arrival; an owner that has reached its share is passed over until one of its own is free. A null owner has no share of its own.
 */
export class Semaphore {
  readonly #total: number;
  readonly #perOwner: number;
  readonly #running = new Map<string, number>();
  /** In order of arrival; an aborted waiter leaves from the middle. */
  readonly #waiting = new Set<Waiter>();
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
    const waiter: Waiter = { owner, start: () => resolve(this.#occupy(owner)) };
    const leave = () => {
      this.#waiting.delete(waiter);
      reject(signal?.reason);
    };
    this.#waiting.add(waiter);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #mayStart(owner: string | null): boolean {
    return this.#taken < this.#total && (owner === null || (this.#running.get(owner) ?? 0) < this.#perOwner);
  }

  #occupy(owner: string | null): () => void {
    this.#taken += 1;
    if (owner !== null) this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
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
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
  }

  #startNext(): void {
    for (const waiter of this.#waiting) {
      if (!this.#mayStart(waiter.owner)) continue;
      this.#waiting.delete(waiter);
      waiter.start();
      return;
    }
  }
}
