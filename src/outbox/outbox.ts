import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { type Clock, type Log, Periodic, StoreUnavailable, singleFlight } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import {
  dueWrites,
  insertPendingWrites,
  type PendingWrite,
  type PendingWrites,
  postponeWrite,
  removePendingWrite,
  sumOfPendingWrites,
} from './queries.ts';

/** How long to wait after the store refused something; doubled with each further refusal. */
const firstWaitMs = 1000;
const longestWaitMs = 30_000;
/** How long a write waits that failed while the store works; doubled with each further failure. */
const firstPostponeMs = 5000;
const longestPostponeMs = 60 * 60 * 1000;
/** How often to look for what a server that is gone has left. */
const lookEveryMs = 60_000;
const writesPerTransaction = 50;
/** How many writes are held in memory while the store does not take them. */
const mostHeld = 100_000;

/** A kind of write that can be retried; its payload is stored as JSON. */
export interface WriteKind<Payload> {
  readonly name: string;
  encode(payload: Payload): string;
  /** Throws when the stored payload is not the kind's. */
  run(trx: Store['db'], stored: string, pendingSince: number): Promise<void>;
}

/**
 * Defines a kind of write. `run` does it in the transaction that removes it from the outbox, so that it is done once. It must be short, use the
 * transaction alone, and tolerate that part of the work was done before. `pendingSince`: when the write was added, by the outbox's time.
 */
export function defineWriteKind<Payload>(kind: {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  run(trx: Store['db'], payload: Payload, pendingSince: number): Promise<void>;
}): WriteKind<Payload> {
  return {
    name: kind.name,
    encode: (payload) => JSON.stringify(payload),
    run: (trx, stored, ...rest) => kind.run(trx, kind.payload.parse(JSON.parse(stored)), ...rest),
  };
}

interface NewWrite<Payload> {
  /** Identifies the write within its kind; the same id is pending once. */
  readonly id: string;
  readonly payload: Payload;
  /** How long to wait before the first try; absent: not at all. */
  readonly afterMs?: number;
}

interface OutboxOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The time that pending writes are dated and judged by, on every server alike (epoch milliseconds). */
  readonly now: () => number;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** How often to look for what others have left; absent: every minute. */
  readonly everyMs?: number;
  /** Resolves when what happens at the same time has happened: absent: in the event loop's next turn. */
  readonly nextTurn?: () => Promise<void>;
  /** Every kind there is: pending writes outlive their process. */
  readonly kinds: readonly Pick<WriteKind<never>, 'name' | 'run'>[];
}

/**
 * Writes that failed when they were due. Each is stored as soon as the store takes it (until then it is held in memory) and retried until it
 * succeeds, also by another process when this one is gone. It is done and removed in one transaction, so it is done once.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #kinds: ReadonlyMap<string, Pick<WriteKind<never>, 'run'>>;
  readonly #nextTurn: () => Promise<void>;
  readonly #held = new Map<string, PendingWrite>();
  readonly #retries: Periodic;
  /** How many writes were added so far. */
  #added = 0;
  /** The first so many of them are no longer held. */
  #stored = 0;
  #refusals = 0;

  readonly #record = singleFlight(async () => {
    // What fails in one turn of the event loop is stored in one transaction.
    await this.#nextTurn();
    const writes = [...this.#held.values()];
    const added = this.#added;
    try {
      await this.#options.store.transaction((trx) => insertPendingWrites(trx, writes));
    } catch (error) {
      this.#retries.wake(longerWait(firstWaitMs, this.#refusals++, longestWaitMs));
      throw error;
    }
    this.#refusals = 0;
    this.#stored = added;
    for (const write of writes) this.#held.delete(write.id);
    this.#retries.wake();
  });

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#retries = new Periodic({ clock: options.clock, everyMs: options.everyMs ?? lookEveryMs, work: () => this.#retry() });
    this.#nextTurn = options.nextTurn ?? (() => setImmediate());
    this.#kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
  }

  /** Begins with what earlier processes left. */
  start(): void {
    this.#retries.wake();
  }

  /** Adds a write that failed with this error. Never throws. */
  add<Payload>(kind: WriteKind<Payload>, { id, payload, afterMs = 0 }: NewWrite<Payload>, error: unknown): void {
    const { log } = this.#options;
    const fields = { kind: kind.name, reason: error instanceof Error ? error.message : String(error) };
    if (this.#held.size >= mostHeld) {
      log.error(fields, 'too many writes are pending; this one is lost');
      return;
    }
    // Logged once per outage: further failures have the same reason.
    if (this.#held.size === 0) log.error(fields, 'something could not be written; it is tried again as soon as possible');
    const now = this.#options.now();
    const name = `${kind.name} ${id}`;
    const payloadText = kind.encode(payload);
    this.#held.set(name, { id: name, kind: kind.name, payload: payloadText, created_at: now, attempts: 0, next_at: now + afterMs });
    this.#added++;
    this.recorded()?.catch(() => undefined);
  }

  /**
   * Null when every pending write is stored. Else tries to store all that were added so far, and rejects with the store's error when it cannot: what could add
   * further ones should not be begun then.
   */
  recorded(): Promise<void> | null {
    return this.#held.size === 0 ? null : this.#recordUpTo(this.#added);
  }

  /** Those in the store and those that are not there yet. Asks the store. */
  async sum(): Promise<PendingWrites> {
    const { count, oldestAt } = await sumOfPendingWrites(this.#options.store.db);
    const times = [...this.#held.values()].map((write) => write.created_at);
    return {
      count: count + times.length,
      oldestAt: [oldestAt, ...times].reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null),
    };
  }

  /** Tries a last time, before the store is closed. What fails now is for the next process. */
  async stop(): Promise<void> {
    await this.#retries.stop();
    await this.#retryAll().catch(() => undefined);
    if (this.#held.size > 0) this.#options.log.error({ lost: this.#held.size }, 'pending writes could not be stored before the stop');
  }

  /** Stores the first so many writes: what is under way may have begun before the last of them was added. */
  async #recordUpTo(added: number): Promise<void> {
    while (this.#stored < added) await this.#record();
  }

  /** Does what is due, and has another round come when something is left. */
  async #retry(): Promise<void> {
    try {
      const left = await this.#retryAll();
      this.#refusals = 0;
      if (left || this.#held.size > 0) this.#retries.wake(firstWaitMs);
    } catch {
      this.#retries.wake(longerWait(firstWaitMs, this.#refusals++, longestWaitMs));
    }
  }

  /** Whether something is still pending. Rejects when the store does not work. */
  async #retryAll(): Promise<boolean> {
    const { store, now, log } = this.#options;
    await this.recorded();
    let done = 0;
    for (;;) {
      const due = await dueWrites(store.db, now(), longestPostponeMs, writesPerTransaction);
      if (due.length === 0) break;
      done += await this.#runTogether(due).catch(() => this.#runOneByOne(due));
    }
    const left = (await sumOfPendingWrites(store.db)).count > 0;
    if (done > 0) log.info({ done, left }, 'pending writes are done');
    return left;
  }

  async #runTogether(writes: readonly PendingWrite[]): Promise<number> {
    await this.#options.store.transaction(async (trx) => {
      for (const write of writes) await this.#run(trx, write);
    });
    return writes.length;
  }

  /** So that one that fails does not keep the others from being done. */
  async #runOneByOne(writes: readonly PendingWrite[]): Promise<number> {
    const { store, now, log } = this.#options;
    let done = 0;
    for (const write of writes) {
      try {
        await store.transaction((trx) => this.#run(trx, write));
        done++;
      } catch (error) {
        // The write itself is not at fault.
        if (error instanceof StoreUnavailable) throw error;
        await postponeWrite(store.db, write.id, now() + longerWait(firstPostponeMs, write.attempts, longestPostponeMs));
        log.error({ err: error, kind: write.kind, attempts: write.attempts + 1 }, 'a pending write failed again');
      }
    }
    return done;
  }

  async #run(trx: Store['db'], { id, kind, payload, created_at: pendingSince }: PendingWrite): Promise<void> {
    const known = this.#kinds.get(kind);
    if (known === undefined) throw new Error(`no kind of write is called ${kind}`);
    // A transaction that was done, but whose answer was lost, has removed it.
    if (await removePendingWrite(trx, id)) await known.run(trx, payload, pendingSince);
  }
}

function longerWait(firstMs: number, failures: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16));
}
