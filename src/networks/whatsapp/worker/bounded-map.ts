/** A map that forgets what was not used for longest once it holds more than `limit` entries, and every entry `maxAgeMs` after it was set. */
export class BoundedMap<Key, Value> {
  readonly #limit: number;
  readonly #maxAgeMs: number;
  readonly #entries = new Map<Key, { readonly value: Value; readonly until: number }>();

  constructor({ limit, maxAgeMs }: { limit: number; maxAgeMs: number }) {
    this.#limit = limit;
    this.#maxAgeMs = maxAgeMs;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.until <= Date.now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: Date.now() + this.#maxAgeMs });
    if (this.#entries.size <= this.#limit) return;
    const oldest = this.#entries.keys().next();
    if (!oldest.done) this.#entries.delete(oldest.value);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** What is there and not too old. */
  values(): Value[] {
    const now = Date.now();
    return [...this.#entries.values()].flatMap(({ value, until }) => (until > now ? [value] : []));
  }

  clear(): void {
    this.#entries.clear();
  }
}
