import { LRUCache } from 'lru-cache';

/** The cached records of one link; null stands for a record that does not exist. */
export interface LinkCache {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  clear(): void;
}

/**
 * A cache of the most recently used records of all links of a worker. They share one limit, because a number that sends needs many records and an
 * idle one none.
 */
export class RecordCache {
  readonly #isKept: (name: string) => boolean;
  readonly #records: LRUCache<string, { readonly owner: Set<string>; readonly value: unknown }>;

  /** `isKept`: whether a record with this name is cached at all. */
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
