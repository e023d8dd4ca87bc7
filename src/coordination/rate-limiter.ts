import type { Clock } from '../core/index.ts';

/** The length of the rate window (contract, "Limits"). */
export const windowMs = 60_000;

/** A limiter's decision on one request, with the values of the X-RateLimit headers. */
export interface RateDecision {
  readonly admitted: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until Remaining next rises by one. */
  readonly resetSeconds: number;
}

/** A sliding log: at most `limit` admitted requests in any 60 seconds. A refused request does not count (decisions §4). */
export interface RateLimiter {
  /** Counts one request under this name (key and scope) if the limit allows it. */
  take(name: string, limit: number): RateDecision | Promise<RateDecision>;
}

/** A limiter that all nodes share, and that goes on without Redis. */
export interface SharedRateLimiter extends RateLimiter {
  /** Each node counts on its own, up to its share of the limit, because Redis is down or slow. */
  readonly fallenBack: boolean;
  /** Called when it falls back (true) and comes back (false). */
  onChange(listener: (fallenBack: boolean) => void): void;
  close(): void;
}

/** The limiter of a single process; it decides at once. */
export function createMemoryRateLimiter(clock: Clock) {
  /** The times of the admitted requests of each name, oldest first, and how many of them are over. */
  const logs = new Map<string, { readonly times: number[]; over: number }>();
  let sweptAt = clock.monotonic();

  // A name that was not used for a whole window has no times left; without this every key ever seen would stay.
  function sweep(now: number): void {
    if (now - sweptAt < windowMs) return;
    sweptAt = now;
    for (const [name, { times }] of logs) if ((times.at(-1) ?? 0) <= now - windowMs) logs.delete(name);
  }

  return {
    take(name: string, limit: number): RateDecision {
      const now = clock.monotonic();
      sweep(now);
      const log = logs.get(name) ?? { times: [], over: 0 };
      logs.set(name, log);
      const { times } = log;
      while ((times[log.over] ?? now) <= now - windowMs) log.over++;
      // Not each of them by itself: that moves all the others, of which a large plan has many.
      if (log.over * 2 > times.length) {
        times.splice(0, log.over);
        log.over = 0;
      }
      const admitted = times.length - log.over < limit;
      if (admitted) times.push(now);
      const counted = times.length - log.over;
      // With a lowered limit more may be counted than allowed; then room appears only when the surplus has aged out.
      const next = times[log.over + Math.max(0, counted - limit)] ?? now;
      return {
        admitted,
        remaining: Math.max(0, limit - counted),
        resetSeconds: Math.max(1, Math.ceil((next + windowMs - now) / 1000)),
      };
    },
  };
}
