/** What a link keeps at hand of its records; null stands for a record that does not exist. */
export interface LinkCache {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  /** Drops all of the link. */
  clear(): void;
}

/**
 * The records that all links of a worker used last. One bound for all of them: a number that sends needs many, an idle one needs none.
 */
export class RecordCache {
  readonly #maximum: number;
  readonly #isKept: (name: string) => boolean;
  readonly #records = new Map<string, { readonly owner: Set<string>; readonly value: unknown }>();

  /** Records for whose names `isKept` says no are always read from the store. */
  constructor(maximum: number, isKept: (name: string) => boolean = () => true) {
    this.#maximum = maximum;
    this.#isKept = isKept;
  }

  /** The part of one link; `link` is its number. */
  ofLink(link: number): LinkCache {
    const owner = new Set<string>();
    return {
      get: (name) => {
        const key = `${link} ${name}`;
        const found = this.#records.get(key);
        if (found === undefined) return undefined;
        // Insertion order is the order of use.
        this.#records.delete(key);
        this.#records.set(key, found);
        return found.value;
      },
      set: (name, value) => {
        if (!this.#isKept(name)) return;
        const key = `${link} ${name}`;
        this.#records.delete(key);
        this.#records.set(key, { owner, value });
        owner.add(key);
        this.#evict();
      },
      clear: () => {
        for (const key of owner) this.#records.delete(key);
        owner.clear();
      },
    };
  }

  #evict(): void {
    for (const [key, { owner }] of this.#records) {
      if (this.#records.size <= this.#maximum) return;
      this.#records.delete(key);
      owner.delete(key);
    }
  }
}
