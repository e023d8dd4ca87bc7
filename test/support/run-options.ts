const bothStores = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof bothStores)[number];

/** The stores that what concerns them is tested on: both, or one that TEST_STORES names. */
export const storeKinds: readonly StoreKind[] = choose('TEST_STORES', bothStores) ?? bothStores;

/** The store of a test that needs one, whichever it is: the embedded one, unless TEST_STORES names another. */
export const [anyStore = 'sqlite'] = storeKinds;

/** How many servers a gateway on PostgreSQL has in tests that do not look into its process (TEST_NODES); they are asked in turn. */
export const nodesOfGateway = Number(process.env.TEST_NODES ?? '1');

/** The tier whose files are run (TEST_TIER): what comes before a push, or the rest; null when a person names files. */
export const tier = choose('TEST_TIER', ['push', 'rest'])?.[0] ?? null;

/** Whether what is random is tried many times, and the whole contract is asked of three servers (TEST_ROUNDS=long). */
export const isLong = choose('TEST_ROUNDS', ['short', 'long'])?.[0] === 'long';

/** How often something random is tried: fewer times in `npm run test:all`, more with TEST_ROUNDS=long. */
export function rounds(times: { readonly short: number; readonly long: number }): number {
  return isLong ? times.long : times.short;
}

/** The one that the environment names; null when it names none. */
function choose<T extends string>(name: string, known: readonly T[]): readonly T[] | null {
  const given = process.env[name];
  if (given === undefined || given === '') return null;
  const found = known.filter((one) => one === given);
  if (found.length === 0) throw new Error(`${name} is one of ${known.join(', ')}, not ${given}`);
  return found;
}
