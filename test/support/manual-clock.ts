import { type Clock, systemClock } from '../../src/core/index.ts';

/** A clock that stands still until a test turns it. */
export interface ManualClock extends Clock {
  /** Moves time forward by `ms` and fires every timer that falls due, in order of its time, each at its own time. */
  advance(ms: number): void;
  /** Like `advance`, and lets promises settle between timers, so that code which sets its next timer after an `await` gets to it. */
  advanceAsync(ms: number): Promise<void>;
  /** Sets the calendar forward (or with a negative `ms` back), as an administrator or NTP would: no timer fires, no duration passes. */
  setCalendar(ms: number): void;
  /** How many timers are waiting. */
  readonly pending: number;
  /** How many timers of this length are waiting; between servers a call sets others before the one that a test waits for. */
  pendingOf(ms: number): number;
}

interface PendingTimer {
  readonly ms: number;
  readonly due: number;
  readonly run: () => void;
}

/** A manual clock that starts at `startMs` (epoch milliseconds). Timers due at the same time fire in the order they were set. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let time = startMs;
  let calendarOffset = 0;
  // A set keeps insertion order, which decides between timers due at the same time.
  const timers = new Set<PendingTimer>();

  /** Takes out the first timer due by `end`, turns the clock to it, and returns it. */
  function takeNext(end: number): PendingTimer | null {
    let next: PendingTimer | null = null;
    for (const timer of timers) {
      if (timer.due <= end && (next === null || timer.due < next.due)) next = timer;
    }
    if (next === null) return null;
    timers.delete(next);
    time = Math.max(time, next.due);
    return next;
  }

  return {
    now: () => time + calendarOffset,
    monotonic: () => time,
    setCalendar(ms) {
      calendarOffset += ms;
    },
    after(ms, run) {
      const timer = { ms, due: time + Math.max(0, ms), run };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    advance(ms) {
      const end = time + ms;
      for (let timer = takeNext(end); timer !== null; timer = takeNext(end)) timer.run();
      time = end;
    },
    async advanceAsync(ms) {
      const end = time + ms;
      await settled();
      for (let timer = takeNext(end); timer !== null; timer = takeNext(end)) {
        timer.run();
        await settled();
      }
      time = end;
    },
    get pending() {
      return timers.size;
    },
    pendingOf: (wanted) => [...timers].filter(({ ms }) => ms === wanted).length,
  };
}

/** The machine's clock, but waits are over as soon as `clock` has advanced by them. */
export function hurriedBy(clock: ManualClock): Clock {
  return {
    ...systemClock,
    after(ms, run) {
      void clock.advanceAsync(ms).then(run);
      return { cancel: () => undefined };
    },
  };
}

/** Resolves after every promise job that is ready now, and the ones those make ready. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
