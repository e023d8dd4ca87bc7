const firstMs = 1000;
const longestMs = 60_000;

/**
 * How long to wait before the nth reconnect in a row (from 0), in milliseconds: anywhere from 0 to a bound that doubles up to a minute.
 * Full jitter spreads the numbers of a restart better than a fixed wait ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 16)));
}
