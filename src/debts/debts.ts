import { type Clock, type Log, Periodic, StoreUnavailable } from '../core/index.ts';
import type { DebtRow, Store } from '../store/index.ts';
import type { DebtKind } from './debt-kind.ts';
import { anyDebt, dueDebts, insertDebts, postponeDebt, removeDebt, sumOfDebts } from './queries.ts';

/** How long to wait after the store refused something; doubled with each further refusal. */
const firstWaitMs = 1000;
const longestWaitMs = 30_000;
/** How long a debt waits that failed while the store works; doubled with each further failure. */
const firstPostponeMs = 5000;
const longestPostponeMs = 60 * 60 * 1000;
const debtsPerTransaction = 50;
/** How many debts are held while the store does not take them. */
const mostHeld = 100_000;

/** Something to be done as soon as the store lets it be done. */
export interface Debt<Payload> {
  /** Identifies the debt within its kind; the same id is owed once. */
  readonly id: string;
  readonly payload: Payload;
  /** How long to wait before the first try; absent: not at all. */
  readonly afterMs?: number;
}

interface DebtsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The time that debts are dated and judged by, on every server alike (epoch milliseconds). */
  readonly now: () => number;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Resolves when what happens at the same time has happened: in the event loop's next turn, unless said. */
  readonly nextTurn?: () => Promise<void>;
  /** Every kind there is: debts outlive the process that owed them. */
  readonly kinds: readonly Pick<DebtKind<never>, 'name' | 'pay'>[];
}

/**
 * What could not be written when it was due. It is written down as soon as the store takes it (until then it is held in memory) and paid
 * from there until that succeeds, also by a later process. A debt is paid and removed in one transaction, so it is paid once.
 */
export class Debts {
  readonly #options: DebtsOptions;
  readonly #kinds: ReadonlyMap<string, Pick<DebtKind<never>, 'pay'>>;
  readonly #nextTurn: () => Promise<void>;
  readonly #held = new Map<string, DebtRow>();
  #recording: Promise<void> | null = null;
  readonly #payments: Periodic;
  #refusals = 0;

  constructor(options: DebtsOptions) {
    this.#options = options;
    this.#payments = new Periodic({ clock: options.clock, everyMs: Number.POSITIVE_INFINITY, work: () => this.#pay() });
    this.#nextTurn = options.nextTurn ?? (() => new Promise((resolve) => setImmediate(resolve)));
    this.#kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
  }

  /** Starts to pay the debts of earlier processes. */
  start(): void {
    this.#payments.wake();
  }

  /** Owes something because of this error. Never throws. */
  owe<Payload>(kind: DebtKind<Payload>, { id, payload, afterMs = 0 }: Debt<Payload>, error: unknown): void {
    const { log } = this.#options;
    const name = `${kind.name} ${id}`;
    const fields = { kind: kind.name, reason: error instanceof Error ? error.message : String(error) };
    if (this.#held.size >= mostHeld) {
      log.error(fields, 'too many writes are owed; this one is lost');
      return;
    }
    // Logged once per outage: further failures have the same reason.
    if (this.#held.size === 0) log.error(fields, 'something could not be written; it is tried again as soon as possible');
    const now = this.#options.now();
    this.#held.set(name, {
      id: name,
      kind: kind.name,
      payload: kind.write(payload),
      created_at: now,
      attempts: 0,
      next_at: now + afterMs,
    });
    this.recorded()?.catch(() => undefined);
  }

  /**
   * Null when everything owed is written down. Else tries to, and rejects with the store's error when it cannot: what would add to the debts
   * should not be begun then.
   */
  recorded(): Promise<void> | null {
    if (this.#held.size === 0) return null;
    this.#recording ??= this.#record().finally(() => {
      this.#recording = null;
    });
    return this.#recording;
  }

  /** How much is owed, written down or not, and since when the oldest is (epoch milliseconds; null: nothing is owed). Asks the store. */
  async sum(): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
    const { count, oldestAt } = await sumOfDebts(this.#options.store.db);
    const times = [...this.#held.values()].map((debt) => debt.created_at);
    return {
      count: count + times.length,
      oldestAt: [oldestAt, ...times].reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null),
    };
  }

  /** The last try to write down and pay what is owed, before the store is closed. */
  async stop(): Promise<void> {
    await this.#payments.stop();
    // What cannot be paid now is for the next process.
    await this.#payAll().catch(() => undefined);
    if (this.#held.size > 0) this.#options.log.error({ lost: this.#held.size }, 'owed writes could not be completed before the stop');
  }

  async #record(): Promise<void> {
    // What is owed in one turn of the event loop is written in one transaction.
    await this.#nextTurn();
    const debts = [...this.#held.values()];
    try {
      await this.#options.store.transaction((trx) => insertDebts(trx, debts));
    } catch (error) {
      this.#payments.wake(longerWait(firstWaitMs, this.#refusals++, longestWaitMs));
      throw error;
    }
    this.#refusals = 0;
    for (const debt of debts) this.#held.delete(debt.id);
    this.#payments.wake();
  }

  /** Pays the debts that are due, and has another round come when some are left. */
  async #pay(): Promise<void> {
    try {
      const left = await this.#payAll();
      this.#refusals = 0;
      if (left || this.#held.size > 0) this.#payments.wake(firstWaitMs);
    } catch {
      this.#payments.wake(longerWait(firstWaitMs, this.#refusals++, longestWaitMs));
    }
  }

  /** Whether something is still owed. Rejects when the store does not work. */
  async #payAll(): Promise<boolean> {
    const { store, now, log } = this.#options;
    await this.recorded();
    let paid = 0;
    for (;;) {
      const due = await dueDebts(store.db, now(), longestPostponeMs, debtsPerTransaction);
      if (due.length === 0) break;
      paid += await this.#payTogether(due).catch(() => this.#payOneByOne(due));
    }
    const left = await anyDebt(store.db);
    if (paid > 0) log.info({ paid, left }, 'the owed writes are done');
    return left;
  }

  async #payTogether(debts: readonly DebtRow[]): Promise<number> {
    const { store } = this.#options;
    await store.transaction(async (trx) => {
      for (const debt of debts) await this.#payOne(trx, debt);
    });
    return debts.length;
  }

  /** So that a debt that cannot be paid does not keep the others from it. */
  async #payOneByOne(debts: readonly DebtRow[]): Promise<number> {
    const { store, now, log } = this.#options;
    let paid = 0;
    for (const debt of debts) {
      try {
        await store.transaction((trx) => this.#payOne(trx, debt));
        paid++;
      } catch (error) {
        // It is not the debt that is at fault.
        if (error instanceof StoreUnavailable) throw error;
        await postponeDebt(store.db, debt.id, now() + longerWait(firstPostponeMs, debt.attempts, longestPostponeMs));
        log.error({ err: error, kind: debt.kind, attempts: debt.attempts + 1 }, 'an owed write failed');
      }
    }
    return paid;
  }

  async #payOne(trx: Store['db'], { id, kind, payload }: DebtRow): Promise<void> {
    const known = this.#kinds.get(kind);
    if (known === undefined) throw new Error(`no kind of debt is called ${kind}`);
    // A transaction that was done, but whose answer was lost, has removed it.
    if (await removeDebt(trx, id)) await known.pay(trx, payload, this.#options.store.dialect);
  }
}

function longerWait(firstMs: number, failures: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures, 16));
}
