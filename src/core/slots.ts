/** Limits how much runs at once, and how much of it for one owner, so that one customer's slow work cannot take all. */
export interface Slots {
  /** Waits for a free slot and returns what frees it again (calling that twice is harmless). Rejects with the signal's reason while waiting. */
  take(owner: string | null, signal?: AbortSignal): Promise<() => void>;
}

interface Waiter {
  readonly owner: string | null;
  readonly start: () => void;
}

/** Slots in order of arrival; an owner that has reached its share is passed over until one of its own is free. A null owner has no share of its own. */
export function createSlots(total: number, perOwner: number): Slots {
  const running = new Map<string, number>();
  // A set keeps the order of arrival and lets an aborted waiter leave from the middle.
  const waiting = new Set<Waiter>();
  let taken = 0;

  function mayStart(owner: string | null): boolean {
    return taken < total && (owner === null || (running.get(owner) ?? 0) < perOwner);
  }

  function occupy(owner: string | null): () => void {
    taken += 1;
    if (owner !== null) running.set(owner, (running.get(owner) ?? 0) + 1);
    let freed = false;
    return () => {
      if (freed) return;
      freed = true;
      taken -= 1;
      if (owner !== null) countDown(owner);
      startNext();
    };
  }

  function countDown(owner: string): void {
    const left = (running.get(owner) ?? 1) - 1;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
  }

  function startNext(): void {
    for (const waiter of waiting) {
      if (!mayStart(waiter.owner)) continue;
      waiting.delete(waiter);
      waiter.start();
      return;
    }
  }

  return {
    async take(owner, signal) {
      signal?.throwIfAborted();
      if (mayStart(owner)) return occupy(owner);
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const waiter: Waiter = { owner, start: () => resolve(occupy(owner)) };
      const leave = () => {
        waiting.delete(waiter);
        reject(signal?.reason);
      };
      waiting.add(waiter);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await promise;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}
