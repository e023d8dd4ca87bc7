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
  // A map keeps insertion order; what is used is inserted again, so the first entry is the least recently used.
  const entries = new Map<string, { readonly entry: Entry; readonly letGo: () => Promise<void> }>();
  let bytes = 0;

  /** Takes an entry out at once; the thing itself goes when the returned function has let go of it. */
  function takeOut(name: string): () => Promise<void> {
    const kept = entries.get(name);
    if (kept === undefined) return async () => {};
    entries.delete(name);
    bytes -= kept.entry.bytes;
    return kept.letGo;
  }

  return {
    get(name) {
      const kept = entries.get(name);
      if (kept === undefined) return null;
      entries.delete(name);
      entries.set(name, kept);
      return kept.entry;
    },
    async set(name, entry) {
      // Held before the old entry lets go, because both may be the same thing.
      const letGo = entry.shared.hold();
      const leaving = [takeOut(name)];
      entries.set(name, { entry, letGo });
      bytes += entry.bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && bytes <= maxBytes) break;
        leaving.push(takeOut(oldest));
      }
      for (const leave of leaving) await leave();
    },
    async delete(name) {
      await takeOut(name)();
    },
    async clear() {
      for (const leave of [...entries.keys()].map(takeOut)) await leave();
    },
  };
}
