import type { SocketConfig } from 'baileys';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/** How many number-to-LID pairs (two entries each) a link keeps in memory; the rest is read from its records. */
const maximumEntries = 1_000;

/** Puts a bound on what Baileys remembers of recipients for three days, each with a timer of its own. */
export function boundLidCache(make: MakeSignalRepository): MakeSignalRepository {
  return (...args) => {
    const repository = make(...args);
    // Private by its type only; Baileys uses no more of it than these three.
    const holder = repository.lidMapping as unknown as { mappingCache: LidCache };
    holder.mappingCache = createLidCache();
    return repository;
  };
}

interface LidCache {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  clear(): void;
}

function createLidCache(): LidCache {
  const entries = new Map<string, string>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      for (const oldest of entries.keys()) {
        if (entries.size <= maximumEntries) return;
        entries.delete(oldest);
      }
    },
    clear: () => entries.clear(),
  };
}
