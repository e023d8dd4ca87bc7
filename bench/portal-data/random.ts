/** Numbers from 0 up to, not including, 1: the same ones for the same seed, so that two databases can be compared. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  // Mulberry32: small, fast, and even enough for made-up data.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const hex = (digits: number): string => {
    let text = '';
    while (text.length < digits)
      text += below(2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return text.slice(0, digits);
  };
  return {
    next,
    below,
    hex,
    /** True so often. */
    chance: (share: number): boolean => next() < share,
    pick<T>(all: readonly [T, ...T[]]): T {
      return all[below(all.length)] ?? all[0];
    },
    /** A UUIDv7 of this time. */
    id(at: number): string {
      const time = Math.trunc(at).toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${hex(3)}-8${hex(3)}-${hex(12)}`;
    },
  };
}

export type Random = ReturnType<typeof createRandom>;
