/** A running timer that can be stopped; stopping twice is harmless. */
export interface Timer {
  cancel(): void;
}

/** Where the server gets its time from. Tests pass one that they advance themselves, so it has no more than the server needs. */
export interface Clock {
  /** The calendar: milliseconds since the Unix epoch. */
  now(): number;
  /** A stopwatch: milliseconds since some fixed moment, never set back. */
  monotonic(): number;
  /** Calls `run` once after `ms`. */
  after(ms: number, run: () => void): Timer;
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
