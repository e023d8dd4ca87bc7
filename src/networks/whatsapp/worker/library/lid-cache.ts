import type { SocketConfig } from 'baileys';
import { type BoundedCache, createCache } from './bounded-cache.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/** How many number-to-LID pairs (two entries each) a link keeps in memory; the rest is read from its records. */
const maximumEntries = 1_000;

/** Bounds Baileys' cache of number-to-LID pairs, which keeps every pair for three days, each with a timer of its own. */
export function boundLidCache(make: MakeSignalRepository): MakeSignalRepository {
  return (...args) => {
    const repository = make(...args);
    // Only its type makes it private. Baileys uses get, set and clear of it.
    const holder = repository.lidMapping as unknown as { mappingCache: BoundedCache<string> };
    holder.mappingCache = createCache({ limit: maximumEntries });
    return repository;
  };
}
