import { LRUCache } from 'lru-cache';

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
  readonly #isKept: (name: string) => boolean;
  readonly #records: LRUCache<string, { readonly owner: Set<string>; readonly value: unknown }>;

  /** Records for whose names `isKept` says no are always read from the store. */
  constructor(limit: number, isKept: (name: string) => boolean = () => true) {
    this.#isKept = isKept;
    this.#records = new LRUCache({
      max: limit,
      noDisposeOnSet: true,
      dispose: ({ owner }, key) => void owner.delete(key),
    });
  }

  /** The part of one link; `link` is its number. */
  ofLink(link: number): LinkCache {
    const owner = new Set<string>();
    return {
      get: (name) => this.#records.get(`${link} ${name}`)?.value,
      set: (name, value) => {
        if (!this.#isKept(name)) return;
        const key = `${link} ${name}`;
        owner.add(key);
        this.#records.set(key, { owner, value });
      },
      clear: () => {
        for (const key of owner) this.#records.delete(key);
      },
    };
  }
}
