import { LRUCache } from 'lru-cache';

/** Something on local disk or in memory with several holders: sends that use it, a cache, work under way. The last one to let go disposes of it. */
export class Shared<T> {
  readonly value: T;
  readonly #dispose: () => Promise<void>;
  #holders = 0;

  /** `dispose` is called once, when nobody holds the value any more. */
  constructor(value: T, dispose: () => Promise<void>) {
    this.value = value;
    this.#dispose = dispose;
  }

  /** Adds a holder and returns what lets go again (calling that twice is harmless). Only a present holder may add another. */
  hold(): () => Promise<void> {
    this.#holders += 1;
    let held = true;
    return async () => {
      if (!held) return;
      held = false;
      this.#holders -= 1;
      if (this.#holders === 0) await this.#dispose();
    };
  }
}

/** A shared thing and what lets go of it. */
export interface Held<T> {
  readonly shared: Shared<T>;
  readonly letGo: () => Promise<void>;
}

export function hold<T>(shared: Shared<T>): Held<T> {
  return { shared, letGo: shared.hold() };
}

interface CacheEntry {
  readonly shared: Shared<unknown>;
  /** What it counts for. */
  readonly bytes: number;
}

export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Shared things by name, bounded in number and bytes; the least recently used one leaves first. It holds each of them. */
export class SharedCache<Entry extends CacheEntry> {
  readonly #entries: LRUCache<string, { readonly entry: Entry; readonly letGo: () => Promise<void> }>;
  /** What the cache has forgotten and still holds: letting go takes time, which the library does not wait for. */
  #leaving: (() => Promise<void>)[] = [];

  constructor({ maxEntries, maxBytes }: CacheLimits) {
    this.#entries = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      // Some conversions are nothing but a few facts.
      sizeCalculation: ({ entry }) => Math.max(1, entry.bytes),
      dispose: ({ letGo }) => void this.#leaving.push(letGo),
    });
  }

  get(name: string): Entry | null {
    return this.#entries.get(name)?.entry ?? null;
  }

  /** Adds an entry or replaces it. One larger than the whole cache is not kept. */
  async set(name: string, entry: Entry): Promise<void> {
    // Held before the old entry lets go, because both may be the same thing.
    const letGo = entry.shared.hold();
    this.#entries.set(name, { entry, letGo });
    // The library leaves out one that is too large.
    if (!this.#entries.has(name)) this.#leaving.push(letGo);
    await this.#letGoOfLeaving();
  }

  async delete(name: string): Promise<void> {
    this.#entries.delete(name);
    await this.#letGoOfLeaving();
  }

  async clear(): Promise<void> {
    this.#entries.clear();
    await this.#letGoOfLeaving();
  }

  async #letGoOfLeaving(): Promise<void> {
    const leaving = this.#leaving;
    this.#leaving = [];
    for (const letGo of leaving) await letGo();
  }
}

/** Work under way and how many wait for it. */
interface Flight<T> {
  readonly outcome: Promise<Held<T>>;
  waiting: number;
}

/** Work that is done once for all who ask for it at the same time. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Joins the work of this name, or begins it. `take` gets the outcome while it is held, and holds it for itself. */
  async join<R>(name: string, begin: () => Promise<Held<T>>, take: (shared: Shared<T>) => R): Promise<R> {
    const flight = this.#flights.get(name) ?? this.#start(name, begin);
    flight.waiting += 1;
    try {
      return take((await flight.outcome).shared);
    } finally {
      flight.waiting -= 1;
      // The flight's own hold ends when everybody who waited has one; a failed flight holds nothing.
      if (flight.waiting === 0)
        await flight.outcome.then(
          ({ letGo }) => letGo(),
          () => {},
        );
    }
  }

  /** Resolves when everything now under way has ended, well or badly. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#flights.values()].map((flight) => flight.outcome));
  }

  #start(name: string, begin: () => Promise<Held<T>>): Flight<T> {
    // Out of the map before anybody learns the outcome: nobody joins a flight that has ended.
    const outcome = begin().finally(() => this.#flights.delete(name));
    const flight = { outcome, waiting: 0 };
    this.#flights.set(name, flight);
    return flight;
  }
}
