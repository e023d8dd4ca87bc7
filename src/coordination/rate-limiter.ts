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

/** The times of the admitted requests of one name, oldest first, in a ring that grows when full. */
class Log {
  #times = new Float64Array(8);
  #head = 0;
  size = 0;

  /** The time of the admitted request at this position, counted from the oldest. */
  at(position: number): number {
    return this.#times[(this.#head + position) % this.#times.length] ?? 0;
  }

  push(time: number): void {
    if (this.size === this.#times.length) {
      const grown = new Float64Array(this.size * 2);
      for (let i = 0; i < this.size; i++) grown[i] = this.at(i);
      this.#times = grown;
      this.#head = 0;
    }
    this.#times[(this.#head + this.size) % this.#times.length] = time;
    this.size++;
  }

  dropUntil(time: number): void {
    while (this.size > 0 && this.at(0) <= time) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.size--;
    }
  }
}

/** Decides at once. */
interface MemoryRateLimiter extends RateLimiter {
  take(name: string, limit: number): RateDecision;
}

/** The limiter of a single process. */
export function createMemoryRateLimiter(clock: Clock): MemoryRateLimiter {
  const logs = new Map<string, Log>();
  let sweptAt = clock.monotonic();

  // A name that was not used for a whole window has no times left; without this every key ever seen would stay.
  function sweep(now: number): void {
    if (now - sweptAt < windowMs) return;
    sweptAt = now;
    for (const [name, log] of logs) {
      log.dropUntil(now - windowMs);
      if (log.size === 0) logs.delete(name);
    }
  }

  return {
    take(name, limit): RateDecision {
      const now = clock.monotonic();
      sweep(now);
      let log = logs.get(name);
      if (log === undefined) {
        log = new Log();
        logs.set(name, log);
      }
      log.dropUntil(now - windowMs);
      const admitted = log.size < limit;
      if (admitted) log.push(now);
      // With a lowered limit more may be counted than allowed; then room appears only when the surplus has aged out.
      const next = log.size > 0 ? log.at(Math.max(0, log.size - limit)) : now;
      return {
        admitted,
        remaining: Math.max(0, limit - log.size),
        resetSeconds: Math.max(1, Math.ceil((next + windowMs - now) / 1000)),
      };
    },
  };
}
