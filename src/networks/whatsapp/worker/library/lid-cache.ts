import type { SocketConfig } from 'baileys';
import { type BoundedCache, createCache } from './bounded-cache.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];

/** How many number-to-LID pairs (two entries each) a link keeps in memory. Others are read from its records. */
const maximumEntries = 1_000;

/** Limits Baileys' cache of number-to-LID pairs, which would keep every pair for three days with a timer for each. */
export function boundLidCache(make: MakeSignalRepository): MakeSignalRepository {
  return (...args) => {
    const repository = make(...args);
    // It is private only in its type. Baileys uses its get, set and clear.
    const holder = repository.lidMapping as unknown as { mappingCache: BoundedCache<string> };
    holder.mappingCache = createCache({ limit: maximumEntries });
    return repository;
  };
}
