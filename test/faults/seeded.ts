/** Random choices that a seed repeats. */
export interface Seeded {
  readonly seed: number;
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

/** The seed to use: FAULT_SEED when set, so that a failure can be repeated, else a new one. */
export function chosenSeed(): number {
  const given = Number(process.env.FAULT_SEED ?? Number.NaN);
  return Number.isSafeInteger(given) ? given : Math.floor(Math.random() * 2 ** 31);
}

/** Numbers of the generator "mulberry32": small, fast and good enough to choose test cases. */
export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    seed,
    next,
    below,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('nothing to pick from');
      // The index is within the list, which is not empty.
      return items[below(items.length)] as T;
    },
    chance: (probability) => next() < probability,
  };
}
