import type { CacheStore } from 'baileys';
import { createCache } from './bounded-cache.ts';

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
