import type { Clock } from '../src/index.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Lets promises settle, so that what waits for the clock does, then moves time forward by `ms` and calls what falls due, in order of its time. */
  advance(ms: number): Promise<void>;
}

/** A manual clock that starts at `startMs` (epoch milliseconds). */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let time = startMs;
  const timers = new Set<{ readonly due: number; readonly run: () => void }>();
  return {
    now: () => time,
    monotonic: () => time,
    after(ms, run) {
      const timer = { due: time + ms, run };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(ms) {
      await new Promise(setImmediate);
      const end = time + ms;
      const next = () => [...timers].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0];
      for (let timer = next(); timer !== undefined; timer = next()) {
        timers.delete(timer);
        time = timer.due;
        timer.run();
      }
      time = end;
    },
  };
}
