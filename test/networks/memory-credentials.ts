import { CannotOpen } from '../../src/core/index.ts';
import type { CredentialStore } from '../../src/networks/index.ts';

/** Credentials of one instance in memory, which a test can look into and make fail. */
export class MemoryCredentials implements CredentialStore {
  readonly records = new Map<string, Buffer>();
  /** Kept messages. */
  readonly sent = new Map<string, Buffer>();
  /** While set, every call fails with it. */
  failure: Error | null = null;
  /** Which records cannot be read. */
  unreadable: (name: string) => boolean = () => false;
  /** While set, every write waits for what it gives. */
  beforeWrite: ((names: readonly string[]) => Promise<void>) | null = null;

  /** While set, the deletion waits for what it gives. */
  beforeClear: (() => Promise<void>) | null = null;
  /** While set, every login waits for what it gives. */
  beforeLogin: (() => Promise<void>) | null = null;

  async names(after: string): Promise<string[]> {
    this.#failIfAsked();
    return [...this.records.keys()].filter((name) => name > after).sort();
  }

  async read(names: readonly string[]): Promise<Map<string, Buffer>> {
    this.#failIfAsked();
    if (names.some(this.unreadable)) throw new CannotOpen('it is damaged');
    const found = new Map<string, Buffer>();
    for (const name of names) {
      const record = this.records.get(name);
      if (record !== undefined) found.set(name, Buffer.from(record));
    }
    return found;
  }

  async write(records: ReadonlyMap<string, Uint8Array | null>, sent: ReadonlyMap<string, Uint8Array> = new Map()): Promise<void> {
    // A real store answers later, and only then holds the records.
    await new Promise(setImmediate);
    await this.beforeWrite?.([...records.keys()]);
    this.#failIfAsked();
    for (const [name, record] of records) {
      if (record === null) this.records.delete(name);
      else this.records.set(name, Buffer.from(record));
    }
    for (const [id, message] of sent) this.sent.set(id, Buffer.from(message));
  }

  async recall(messageIds: readonly string[]): Promise<Map<string, Buffer>> {
    this.#failIfAsked();
    return new Map([...this.sent].filter(([id]) => messageIds.includes(id)));
  }

  async forget(messageIds: readonly string[]): Promise<void> {
    this.#failIfAsked();
    for (const id of messageIds) this.sent.delete(id);
  }

  async mayLogIn(): Promise<void> {
    await this.beforeLogin?.();
  }

  async clear(): Promise<void> {
    await new Promise(setImmediate);
    await this.beforeClear?.();
    this.#failIfAsked();
    this.records.clear();
    this.sent.clear();
  }

  #failIfAsked(): void {
    if (this.failure !== null) throw this.failure;
  }
}
