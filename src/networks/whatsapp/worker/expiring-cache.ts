import type { CacheStore } from 'baileys';

/**
 * Values that are forgotten after a while, or when there are more than `maximum` of them (the least recently written first).
 * Shared by all links of a worker; each sees only its own part.
 */
export class ExpiringCache {
  readonly #maximum: number;
  readonly #lifetimeMs: number;
  readonly #entries = new Map<string, { readonly value: unknown; readonly expiresAt: number }>();

  constructor(options: { maximum: number; lifetimeMs: number }) {
    this.#maximum = options.maximum;
    this.#lifetimeMs = options.lifetimeMs;
  }

  /** The part of one owner. */
  part(owner: string): CacheStore {
    const key = (name: string) => `${owner} ${name}`;
    return {
      get: <T>(name: string) => this.#get(key(name)) as T | undefined,
      set: (name, value) => this.#set(key(name), value),
      del: (name) => void this.#entries.delete(key(name)),
      flushAll: () => this.#forget(`${owner} `),
    };
  }

  #get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > Date.now()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  #set(key: string, value: unknown): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt: Date.now() + this.#lifetimeMs });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maximum) return;
      this.#entries.delete(oldest);
    }
  }

  #forget(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}
