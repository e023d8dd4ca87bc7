import type { CacheStore } from 'baileys';
import { LRUCache } from 'lru-cache';
import { systemClock } from '../../../../core/index.ts';

/** A cache that drops the least recently used values when it is full, and values that are too old. */
export type BoundedCache<Value extends object | string> = LRUCache<string, Value>;

interface Bounds {
  readonly limit: number;
  /** In milliseconds; absent when values do not expire. */
  readonly lifetimeMs?: number;
}

/** The precision of lifetimes in milliseconds: the clock is read at most once in this time. */
const resolutionMs = 1_000;

/**
 * Creates an empty cache, which takes hardly any memory. The option `max` instead of `maxSize` would reserve room for all entries, even for idle
 * links.
 */
export function createCache<Value extends object | string>({ limit, lifetimeMs = 0 }: Bounds): BoundedCache<Value> {
  const perf = { now: () => systemClock.monotonic() };
  return new LRUCache({ maxSize: limit, sizeCalculation: () => 1, ttl: lifetimeMs, ttlResolution: resolutionMs, perf });
}

/** A cache for Baileys, shared by all links of a worker. Each link sees only its own part. */
export class ExpiringCache {
  readonly #entries;

  constructor(bounds: { limit: number; lifetimeMs: number }) {
    this.#entries = createCache<{ readonly value: unknown }>(bounds);
  }

  /** The part that belongs to this owner. */
  part(owner: string): CacheStore {
    const key = (name: string) => `${owner} ${name}`;
    return {
      get: <T>(name: string) => this.#entries.get(key(name))?.value as T | undefined,
      set: (name, value) => void this.#entries.set(key(name), { value }),
      del: (name) => void this.#entries.delete(key(name)),
      flushAll: () => {
        for (const name of this.#entries.keys()) if (name.startsWith(`${owner} `)) this.#entries.delete(name);
      },
    };
  }
}
