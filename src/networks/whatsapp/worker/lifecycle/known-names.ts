/** Bits per name, and how many of them are set for each: one of 400 absent names counts as possible. */
const bitsPerName = 16;
const bitsSet = 4;
/** How many names the first filter has room for. */
const firstRoom = 256;

interface Filter {
  readonly words: Uint32Array;
  room: number;
}

/**
 * Which names may exist, in a few bytes for each (Bloom filters): a name that was added always may, and of the others nearly none. Names are not taken
 * out again.
 */
export class KnownNames {
  /** Each has twice the room of the one before it. Names are added to the last one. */
  readonly #filters: Filter[] = [];

  add(name: string): void {
    const bits = bitsOf(name);
    if (this.#has(bits)) return;
    const last = this.#filters.at(-1);
    const filter = last === undefined || last.room === 0 ? this.#grow() : last;
    filter.room--;
    for (const bit of bits) {
      const place = placeOf(bit, filter);
      filter.words[place] = (filter.words[place] ?? 0) | (1 << (bit & 31));
    }
  }

  mayExist(name: string): boolean {
    return this.#has(bitsOf(name));
  }

  #has(bits: readonly number[]): boolean {
    return this.#filters.some((filter) => bits.every((bit) => ((filter.words[placeOf(bit, filter)] ?? 0) & (1 << (bit & 31))) !== 0));
  }

  #grow(): Filter {
    const room = firstRoom * 2 ** this.#filters.length;
    const filter = { words: new Uint32Array((room * bitsPerName) / 32), room };
    this.#filters.push(filter);
    return filter;
  }
}

/** The bits of a name, as numbers without a sign: two hashes (FNV-1a and one like it), and steps of the second from the first. */
function bitsOf(name: string): number[] {
  let first = 2_166_136_261;
  let second = 374_761_393;
  for (let place = 0; place < name.length; place++) {
    const code = name.charCodeAt(place);
    first = Math.imul(first ^ code, 16_777_619);
    second = Math.imul(second ^ code, 2_246_822_519);
  }
  return Array.from({ length: bitsSet }, (_, step) => (first + Math.imul(step, second | 1)) >>> 0);
}

function placeOf(bit: number, { words }: Filter): number {
  return (bit >>> 5) % words.length;
}
