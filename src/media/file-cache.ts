import type { ReusePolicy } from './freshness.ts';
import type { SharedFile } from './shared-file.ts';

/** A file that may be used again, and under which conditions. */
interface CachedFile {
  readonly shared: SharedFile;
  readonly policy: ReusePolicy;
}

/** Downloaded files by URL, bounded in number and bytes; the least recently used one leaves first. It holds each of its files. */
export interface FileCache {
  get(url: string): CachedFile | null;
  /** Adds a file, or gives the same file a new policy. A file larger than the whole cache is not kept. */
  set(url: string, cached: CachedFile): Promise<void>;
  delete(url: string): Promise<void>;
  clear(): Promise<void>;
}

export interface FileCacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export function createFileCache({ maxEntries, maxBytes }: FileCacheLimits): FileCache {
  // A map keeps insertion order; what is used is inserted again, so the first entry is the least recently used.
  const entries = new Map<string, { readonly cached: CachedFile; readonly letGo: () => Promise<void> }>();
  let bytes = 0;

  /** Takes an entry out at once; the file itself goes when the returned function has let go of it. */
  function takeOut(url: string): () => Promise<void> {
    const entry = entries.get(url);
    if (entry === undefined) return async () => {};
    entries.delete(url);
    bytes -= entry.cached.shared.file.size;
    return entry.letGo;
  }

  return {
    get(url) {
      const entry = entries.get(url);
      if (entry === undefined) return null;
      entries.delete(url);
      entries.set(url, entry);
      return entry.cached;
    },
    async set(url, cached) {
      // Held before the old entry lets go, because both may be the same file.
      const letGo = cached.shared.hold();
      const leaving = [takeOut(url)];
      entries.set(url, { cached, letGo });
      bytes += cached.shared.file.size;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && bytes <= maxBytes) break;
        leaving.push(takeOut(oldest));
      }
      for (const leave of leaving) await leave();
    },
    async delete(url) {
      await takeOut(url)();
    },
    async clear() {
      for (const leave of [...entries.keys()].map(takeOut)) await leave();
    },
  };
}
