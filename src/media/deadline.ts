import type { Clock, Timer } from '../core/index.ts';

/** The time limits of one fetch: a total and, within it, one for the current phase. */
export interface Deadline {
  /** Aborted when a limit passes or `abort` is called; its reason is the error to answer with. */
  readonly signal: AbortSignal;
  /** Begins the next phase: unless another one begins within `ms`, the fetch is aborted with `reason()`. */
  phase(ms: number, reason: () => Error): void;
  abort(reason: Error): void;
  /** The promise's value, or the abort's reason as soon as there is one. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Stops all timers. */
  end(): void;
}

/** Starts counting at once; the whole may take `totalMs`. */
export function startDeadline(clock: Clock, totalMs: number, reason: () => Error): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const total = clock.after(totalMs, () => abort(reason()));
  let current: Timer | null = null;

  function abort(error: Error): void {
    end();
    controller.abort(error);
  }

  function end(): void {
    total.cancel();
    current?.cancel();
    current = null;
  }

  return {
    signal,
    abort,
    end,
    phase(ms, phaseReason) {
      current?.cancel();
      current = signal.aborted ? null : clock.after(ms, () => abort(phaseReason()));
    },
    async race(promise) {
      const aborted = Promise.withResolvers<never>();
      const onAbort = () => aborted.reject(signal.reason);
      signal.addEventListener('abort', onAbort);
      try {
        signal.throwIfAborted();
        return await Promise.race([promise, aborted.promise]);
      } finally {
        signal.removeEventListener('abort', onAbort);
        // The loser of the race may still fail, and nobody else is listening to it.
        promise.catch(() => {});
      }
    },
  };
}
