/** A running timer that can be stopped; stopping twice is harmless. */
export interface Timer {
  cancel(): void;
}

/** Where the program gets its time from, so that tests can turn it. */
export interface Clock {
  /** The calendar: milliseconds since the Unix epoch. Somebody may set it forward or back at any moment, so it measures no duration. */
  now(): number;
  /** A stopwatch: milliseconds since some fixed moment, never set back. Every duration and deadline within the process is measured by it. */
  monotonic(): number;
  /** Calls `run` once after `ms`. A timer never keeps the process alive by itself. */
  after(ms: number, run: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    // A deadline that has passed meanwhile is due now; Node would log a warning.
    const timer = setTimeout(run, Math.max(0, ms));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

/** The UTC day of a time, as `YYYY-MM-DD`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The promise's value, or what `late` returns (or throws) when it takes longer than `ms` on this clock. */
export async function withTimeout<T>(clock: Clock, ms: number, promise: Promise<T>, late: () => T | Promise<T>): Promise<T> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(ms, resolve);
  try {
    return await Promise.race([promise, over.then(late)]);
  } finally {
    timer.cancel();
  }
}

/** A time (epoch milliseconds) as it is answered and shown: ISO 8601 UTC. */
export const iso = (ms: number): string => new Date(ms).toISOString();

/** The same for a time that may be none. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
