import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { decodeRecord } from '../library/record-encoding.ts';
import { credsRecord, encodeNamed } from '../library/signal-keys.ts';
import { KnownNames } from './known-names.ts';
import type { LinkCache } from './record-cache.ts';

/** The store is unavailable right now; the same call may succeed later. */
export class StoreAway extends Error {}

/** The store works, and what it has cannot be opened or decoded. */
export class RecordUnreadable extends Error {}

/** Stores a link's records. Its calls reject with StoreAway while the store is unavailable, and with RecordUnreadable for what cannot be opened. */
export interface RecordStore {
  /** The names of the next records after this one; none when there are no more. */
  names(after: string): Promise<readonly string[]>;
  /** The records with these names, as far as they exist. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | null>>;
  /** Writes all records together, and with them messages that are about to be sent; null deletes a record. */
  write(records: ReadonlyMap<string, Uint8Array | null>, sent: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

/** How long to wait after each failed write before the next try, in milliseconds. */
const retryDelaysMs = [250, 1000];
/** How long records that nothing waits for may wait for a batch, in milliseconds. */
const soonMs = 200;
/** How long to wait between tries while the store is unavailable, in milliseconds. */
const awayDelayMs = 2_000;

const over = 'the link has ended: its credentials are no longer written';

interface Batch {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The records of one link. They are written in batches, one after another; reads also see what has not been stored yet. During a pairing attempt
 * (`hold`) nothing is written. Names that are known to be absent are not asked for. The account's own record is written when it differs from the
 * stored one. While the store is unavailable, writes wait; any other write that fails three times ends the link.
 */
export class LinkRecords {
  readonly #store: RecordStore;
  readonly #cache: LinkCache;
  readonly #onFailure: (error: unknown) => void;
  #held = false;
  #draining = false;
  #closed = false;
  #pending = new Map<string, unknown>();
  #sent = new Map<string, Uint8Array>();
  #inFlight: ReadonlyMap<string, unknown> = new Map();
  #next: Batch | null = null;
  /** Whether the next batch is to be written now. */
  #due = false;
  #flushing: Promise<void> | null = null;
  #soon: NodeJS.Timeout | undefined;
  /** The names that were written, and once `#namesLearned` all that are stored. */
  readonly #names = new KnownNames();
  #namesLearned = false;
  #learning: Promise<void> | null = null;
  /** What was read before it was asked for: each record until it is asked for or changed. */
  readonly #ahead = new Map<string, Promise<ReadonlyMap<string, unknown>>>();

  /** The digest of the account's own record, which is stored like this; null when that is not known. */
  #storedCreds: string | null = null;

  /** `onFailure` is called when records cannot be stored although the store is available. From then on every write fails. */
  constructor(options: { store: RecordStore; cache: LinkCache; onFailure: (error: unknown) => void }) {
    this.#store = options.store;
    this.#cache = options.cache;
    this.#onFailure = options.onFailure;
  }

  /** Keeps everything in memory from now on. */
  hold(): void {
    this.#held = true;
  }

  /** Stores everything that was held back; resolves when it is stored. */
  async release(): Promise<void> {
    this.#held = false;
    await this.write([]);
  }

  /** Learns which records are stored, so that the others need not be asked for. If the store cannot be read, the next call tries again. */
  learnNames(): void {
    this.#learning ??= this.#learnNames().catch(() => {
      this.#learning = null;
    });
  }

  /** Reads records together that will be asked for one by one. If the store cannot be read, each is read when it is asked for. */
  readAhead(names: readonly string[]): void {
    const values = this.read(names);
    values.catch(() => undefined);
    for (const name of names) this.#ahead.set(name, values);
  }

  /** The values of these records. Records that do not exist are left out. */
  async read(names: readonly string[]): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    const unknown: string[] = [];
    for (const name of names) {
      const value = this.#ahead.has(name) ? await this.#takeAhead(name) : this.#atHand(name);
      if (value === undefined && this.#mayExist(name)) unknown.push(name);
      else if (value !== undefined && value !== null) found.set(name, value);
    }
    if (unknown.length === 0 || this.#held) return found;
    const records = await this.#store.read(unknown);
    for (const name of unknown) {
      // If it was written during the read, the written value is newer.
      let value = this.#atHand(name);
      if (value === undefined) {
        const record = records.get(name) ?? null;
        value = record === null ? null : decoded(record);
        // Encoded again, because the same value may have more than one encoding.
        if (name === credsRecord) this.#storedCreds = value === null ? null : digestOf(encodeNamed(name, value));
        this.#cache.set(name, value);
      }
      if (value !== null) found.set(name, value);
    }
    return found;
  }

  /** Writes all records in one batch; null deletes a record. Reads see them at once. Resolves when they are stored. */
  write(records: Iterable<readonly [string, unknown]>): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(over));
    this.#take(records);
    if (this.#held) return Promise.resolve();
    this.#next ??= newBatch();
    this.#due = true;
    const { promise } = this.#next;
    this.#flushing ??= this.#flush();
    return promise;
  }

  /** The same for records that can wait: they are stored with the next batch, whose records may depend on them, or a little later by themselves. */
  writeSoon(records: Iterable<readonly [string, unknown]>): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(over));
    this.#take(records);
    if (this.#held) return Promise.resolve();
    this.#next ??= newBatch();
    this.#soon ??= setTimeout(() => void this.write([]), soonMs);
    return this.#next.promise;
  }

  /** Stores a message together with the next batch. The message alone causes no write. */
  takeAlong(messageId: string, sent: Uint8Array): void {
    this.#sent.set(messageId, sent);
  }

  /** Resolves when everything is stored or cannot be. From now on nothing waits for a store that is unavailable. */
  async drained(): Promise<void> {
    this.#draining = true;
    if (this.#next !== null && !this.#closed) void this.write([]);
    await this.#flushing;
  }

  /** Stops writing; what has not been stored yet is dropped. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#soon);
    if (!this.#due) {
      this.#next?.reject(new Error(over));
      this.#next = null;
    }
    this.#pending.clear();
    this.#sent.clear();
    this.#ahead.clear();
    this.#cache.clear();
  }

  #take(records: Iterable<readonly [string, unknown]>): void {
    for (const [name, value] of records) {
      this.#ahead.delete(name);
      this.#cache.set(name, value);
      this.#pending.set(name, value);
      if (value !== null) this.#names.add(name);
    }
  }

  #mayExist(name: string): boolean {
    return !this.#namesLearned || this.#names.mayExist(name);
  }

  async #learnNames(): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const names: readonly string[] = await this.#store.names(after);
      for (const name of names) this.#names.add(name);
      after = names.at(-1);
    }
    this.#namesLearned = true;
  }

  /** Like `#atHand`, of a record that was read ahead. */
  async #takeAhead(name: string): Promise<unknown> {
    const values = await this.#ahead.get(name)?.catch(() => undefined);
    // A change meanwhile has removed it.
    const isCurrent = this.#ahead.delete(name);
    const value = this.#atHand(name);
    return value === undefined && isCurrent && values !== undefined ? (values.get(name) ?? null) : value;
  }

  #atHand(name: string): unknown {
    if (this.#pending.has(name)) return this.#pending.get(name);
    if (this.#inFlight.has(name)) return this.#inFlight.get(name);
    return this.#cache.get(name);
  }

  async #flush(): Promise<void> {
    // Writes of the same turn join the batch.
    await Promise.resolve();
    while (this.#next !== null && this.#due) {
      const batch: Batch = this.#next;
      this.#next = null;
      this.#due = false;
      clearTimeout(this.#soon);
      this.#soon = undefined;
      this.#inFlight = this.#pending;
      this.#pending = new Map();
      const sent = this.#sent;
      this.#sent = new Map();
      try {
        if (this.#closed) throw new Error(over);
        await this.#writeOut(this.#inFlight, sent);
        batch.resolve();
      } catch (error) {
        batch.reject(error);
        if (!this.#closed) {
          this.close();
          this.#onFailure(error);
        }
      }
      this.#inFlight = new Map();
    }
    this.#flushing = null;
  }

  async #writeOut(values: ReadonlyMap<string, unknown>, sent: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const records = new Map<string, Uint8Array | null>();
    for (const [name, value] of values) records.set(name, value === null ? null : encodeNamed(name, value));
    // Baileys reports a change of the credentials with every login, and mostly there is none.
    const creds = records.has(credsRecord) ? digestOf(records.get(credsRecord) ?? null) : this.#storedCreds;
    if (creds !== null && creds === this.#storedCreds) records.delete(credsRecord);
    if (records.size === 0 && sent.size === 0) return;
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#store.write(records, sent);
        this.#storedCreds = creds;
        return;
      } catch (error) {
        const waits = error instanceof StoreAway && !this.#draining;
        const delay = retryDelaysMs[attempt] ?? (waits ? awayDelayMs : undefined);
        if (delay === undefined || this.#closed) throw error;
        await wait(delay);
      }
    }
  }
}

function decoded(record: Uint8Array): unknown {
  try {
    return decodeRecord(record);
  } catch (cause) {
    throw new RecordUnreadable(cause instanceof Error ? cause.message : 'it cannot be decoded', { cause });
  }
}

function digestOf(record: Uint8Array | null): string | null {
  return record === null ? null : hash('sha256', record, 'base64');
}

function newBatch(): Batch {
  const batch = Promise.withResolvers<void>();
  // The caller may ignore the promise; `onFailure` reports a failure in any case.
  batch.promise.catch(() => undefined);
  return batch;
}
