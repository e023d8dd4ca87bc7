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
