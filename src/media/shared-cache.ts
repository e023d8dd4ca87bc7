import { LRUCache } from 'lru-cache';
import type { Shared } from './shared.ts';

/** What a cache entry must tell. */
interface CacheEntry {
  readonly shared: Shared<unknown>;
  /** What it counts for. */
  readonly bytes: number;
}

/** Shared things by name, bounded in number and bytes; the least recently used one leaves first. It holds each of them. */
export interface SharedCache<Entry extends CacheEntry> {
  get(name: string): Entry | null;
  /** Adds an entry or replaces it. One larger than the whole cache is not kept. */
  set(name: string, entry: Entry): Promise<void>;
  delete(name: string): Promise<void>;
  clear(): Promise<void>;
}

export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export function createSharedCache<Entry extends CacheEntry>({ maxEntries, maxBytes }: CacheLimits): SharedCache<Entry> {
  /** What the work under way takes out of the cache. The cache forgets it at once; the thing itself goes when it has been let go of. */
  let leaving: (() => Promise<void>)[] = [];
  const entries = new LRUCache<string, { readonly entry: Entry; readonly letGo: () => Promise<void> }>({
    max: maxEntries,
    maxSize: maxBytes,
    // Some conversions are nothing but a few facts.
    sizeCalculation: ({ entry }) => Math.max(1, entry.bytes),
    dispose: ({ letGo }) => void leaving.push(letGo),
  });

  async function letGoOfLeaving(): Promise<void> {
    const those = leaving;
    leaving = [];
    for (const letGo of those) await letGo();
  }

  return {
    get: (name) => entries.get(name)?.entry ?? null,
    async set(name, entry) {
      // Held before the old entry lets go, because both may be the same thing.
      const letGo = entry.shared.hold();
      entries.set(name, { entry, letGo });
      // One that is too large is not taken in, without a word.
      if (!entries.has(name)) leaving.push(letGo);
      await letGoOfLeaving();
    },
    async delete(name) {
      entries.delete(name);
      await letGoOfLeaving();
    },
    async clear() {
      entries.clear();
      await letGoOfLeaving();
    },
  };
}
