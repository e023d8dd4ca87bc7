import { LRUCache } from 'lru-cache';
import { systemClock } from '../../../../core/index.ts';

/** Values that are forgotten when there are too many (the one not used for longest first), or some time after they were set. */
export type BoundedCache<Value extends object | string> = LRUCache<string, Value>;

interface Bounds {
  readonly limit: number;
  /** In milliseconds; absent: no value is too old. */
  readonly lifetimeMs?: number;
}

/** How exactly lifetimes are kept, in milliseconds: one look at the clock serves for this long. */
const resolutionMs = 1_000;

/** Makes an empty cache. It takes hardly any memory: `max` instead of `maxSize` would reserve room for the full number, for every idle link. */
export function createCache<Value extends object | string>({ limit, lifetimeMs = 0 }: Bounds): BoundedCache<Value> {
  const perf = { now: () => systemClock.monotonic() };
  return new LRUCache({ maxSize: limit, sizeCalculation: () => 1, ttl: lifetimeMs, ttlResolution: resolutionMs, perf });
}
