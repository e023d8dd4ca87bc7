import type { AgeTime, Clock } from '../core/index.ts';

/** How often the store is asked at most when its time is in doubt. */
const askEveryMs = 1_000;

/** The time by which signatures are judged, which must be the same for all servers (epoch milliseconds). */
export interface SharedTime {
  now(): number;
  /** Something suggests that it is wrong: a suspended machine's stopwatch stood still, or a new primary's clock is another one. */
  doubt(): void;
}

/** The store's time, which is read anew when it is in doubt. */
export function sharedTime(time: Pick<AgeTime, 'now' | 'look'>, clock: Pick<Clock, 'monotonic'>): SharedTime {
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    now: () => time.now(),
    doubt() {
      if (clock.monotonic() - askedAt < askEveryMs) return;
      askedAt = clock.monotonic();
      // The store logs its own outages, and the next doubt asks again.
      time.look().catch(() => undefined);
    },
  };
}
