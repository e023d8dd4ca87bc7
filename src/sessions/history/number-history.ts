import type { Actor } from '../../audit/index.ts';
import { type Clock, type Log, newId, Periodic, StoreUnavailable, type Timer } from '../../core/index.ts';
import type { Restriction } from '../../networks/index.ts';
import type { HistoryRow, Lease, Store } from '../../store/index.ts';
import { keepHistory, lastingLosses } from './queries.ts';

/** What happens within this time is written together. */
const gatherMs = 500;
const retryMs = 5_000;
/** A linked number that is back within this time after the gateway has started writes nothing. */
const startMs = 60_000;
/** For this long, changes that come and go on their own share one row with a count. */
const togetherMs = 60 * 60_000;
/** How many rows a number gets within that time; beyond it everything is counted in the rows there are. */
const mostRows = 30;
const mostWaiting = 20_000;
/** How often to try writing what the store refuses, which may be temporary, such as a deadlock. */
const mostFailures = 10;
const mostNote = 300;

/** Why a number that is still linked has no connection. `restart`: the network asked for a new connection. `proxy`: its proxy was changed. `start`: it was not back a minute after the gateway had started. */
export type LossReason = 'lost' | 'restart' | 'proxy' | 'start';

/** Why an attempt to link a phone failed. */
export type PairingFailure = 'codes_exhausted' | 'passkey' | 'conflict' | 'refused';

/** What happens to a number. */
export type NumberEvent =
  /** A linked number begins to connect, because this process has just taken it. */
  | { readonly event: 'starting' }
  /** A linked number is connected. */
  | { readonly event: 'back' }
  /** A connected number lost its connection. `until`: the network refuses every login before that time. */
  | { readonly event: 'lost'; readonly detail: LossReason; readonly until: number | null }
  | { readonly event: 'linked' | 'taken_back' | 'disconnected' | 'deleted'; readonly actor: Actor }
  | { readonly event: 'restricted' | 'unrestricted'; readonly detail: Restriction['reason']; readonly until: number | null }
  /** Another program uses its credentials. */
  | { readonly event: 'parked' }
  /** The network does not accept its credentials any more. */
  | { readonly event: 'unlinked' | 'banned' | 'refused' }
  | { readonly event: 'pairing_failed'; readonly detail: PairingFailure; readonly note: string | null };

/** The number that something happens to. */
interface OwnNumber {
  readonly id: string;
  readonly accountId: string;
  /** null: the store has one server only. */
  readonly lease: Lease | null;
}

interface Happened {
  readonly number: OwnNumber;
  readonly event: NumberEvent;
  readonly at: number;
}

/** What this process remembers of a number, so that it needs to read nothing when it writes. */
interface Remembered {
  /** Of the last hour, oldest first. */
  rows: HistoryRow[];
  /** The interruption that has not ended. */
  loss: HistoryRow | null;
  /** Since when it connects after a start; null once it is connected or counts as lost. */
  starting: Happened | null;
}

interface NumberHistoryOptions {
  readonly store: Store;
  /** Says when something happened. */
  readonly clock: Clock;
  /** Measures the waits. */
  readonly stopwatch: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Called with numbers whose history has changed, when it can be read. */
  stored(numbers: readonly Pick<OwnNumber, 'id' | 'accountId'>[]): void;
}

/**
 * Writes what happens to the numbers of this process: the only writer of `number_history`. It is written a moment later, for all numbers together.
 * While the store is down it waits in memory, and a crash loses what waits.
 */
export class NumberHistory {
  readonly #options: NumberHistoryOptions;
  readonly #numbers = new Map<string, Remembered>();
  #pending: Happened[] = [];
  /** Rows that are new or have changed, by id. */
  #unwritten = new Map<string, { readonly row: HistoryRow; readonly lease: Lease | null }>();
  readonly #rounds: Periodic;
  #startTimer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #waits = false;
  /** In a row, for another reason than a store that is away. */
  #failures = 0;

  constructor(options: NumberHistoryOptions) {
    this.#options = options;
    this.#rounds = new Periodic({ clock: options.stopwatch, everyMs: Number.POSITIVE_INFINITY, work: () => this.flush() });
  }

  /** Something has happened to a number, now. */
  add(number: OwnNumber, event: NumberEvent): void {
    this.#pending.push({ number, event, at: this.#options.clock.now() });
    if (this.#pending.length > mostWaiting) {
      this.#pending = this.#pending.slice(mostWaiting / 2);
      this.#options.log.warn({}, 'the history of numbers cannot be stored; its oldest part is lost');
    }
    this.#soon();
  }

  /** This process has the number no longer. What has happened to it is still written. */
  forget(instanceId: string): void {
    this.#numbers.delete(instanceId);
  }

  /** Resolves when an attempt was made to write everything so far. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes what is left, once. */
  async stop(): Promise<void> {
    this.#startTimer?.cancel();
    await this.#rounds.stop();
    await this.flush();
  }

  #soon(): void {
    this.#rounds.wake(this.#waits ? retryMs : gatherMs);
  }

  async #write(): Promise<void> {
    const { store, log, stored } = this.#options;
    const happened = this.#pending;
    this.#pending = [];
    try {
      const unknown = new Set(happened.flatMap(({ number, event }) => (this.#isKnown(number, event) ? [] : [number.id])));
      const lasting = await lastingLosses(store.db, [...unknown]);
      for (const id of unknown) this.#numbers.set(id, { rows: [], loss: lasting.get(id) ?? null, starting: null });
      for (const one of happened.splice(0)) this.#note(one);
      await keepHistory(store, [...this.#unwritten.values()], (rows) =>
        stored(rows.map(({ instance_id: id, account_id: accountId }) => ({ id, accountId }))),
      );
      this.#unwritten.clear();
      this.#waits = false;
      this.#failures = 0;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) && ++this.#failures > mostFailures) {
        this.#failures = 0;
        this.#unwritten.clear();
        log.error({ err: error }, 'a part of the history of numbers could not be written');
        return;
      }
      if (!this.#waits) log.warn({ err: error }, 'the history of numbers cannot be written now and waits');
      this.#waits = true;
      this.#pending = [...happened, ...this.#pending];
      this.#soon();
    }
  }

  /** A number that this process has just taken may have been another server's meanwhile. */
  #isKnown({ id }: OwnNumber, { event }: NumberEvent): boolean {
    return event !== 'starting' && this.#numbers.has(id);
  }

  #note(happened: Happened): void {
    const { number, event } = happened;
    const seen = this.#numbers.get(number.id) ?? { rows: [], loss: null, starting: null };
    switch (event.event) {
      case 'starting':
        if (seen.loss === null) this.#watchStart(seen, happened);
        return;
      case 'back':
        this.#endLoss(seen, happened);
        return;
      case 'lost':
        // A number that is connected since its start has lost nothing.
        if (seen.loss !== null || (event.detail === 'start' && seen.starting === null)) return;
        seen.starting = null;
        seen.loss = this.#addRow(seen, happened);
        return;
      case 'restricted':
      case 'unrestricted':
      case 'pairing_failed':
        this.#addRow(seen, happened);
        return;
      case 'linked':
      case 'taken_back':
      case 'disconnected':
      case 'deleted':
      case 'parked':
      case 'unlinked':
      case 'banned':
      case 'refused':
        this.#endLoss(seen, happened);
        this.#addRow(seen, happened);
        if (event.event === 'deleted') this.#numbers.delete(number.id);
        return;
    }
  }

  /** The interruption has ended. */
  #endLoss(seen: Remembered, { number, at }: Happened): void {
    seen.starting = null;
    if (seen.loss === null) return;
    seen.loss.ended_at = Math.max(at, seen.loss.last_at);
    this.#unwritten.set(seen.loss.id, { row: seen.loss, lease: number.lease });
    seen.loss = null;
  }

  /** Adds a row, or counts it in one of the last hour that is the same. */
  #addRow(seen: Remembered, { number, event, at: happenedAt }: Happened): HistoryRow {
    const at = after(seen.rows.at(-1), happenedAt);
    seen.rows = seen.rows.filter((row) => row.at > at - togetherMs);
    const actor = 'actor' in event ? event.actor : null;
    const row: HistoryRow = {
      id: newId(),
      account_id: number.accountId,
      instance_id: number.id,
      event: event.event,
      detail: 'detail' in event ? event.detail : null,
      // PostgreSQL holds no NUL.
      note: 'note' in event ? (event.note?.replaceAll('\0', '').slice(0, mostNote) ?? null) : null,
      at,
      last_at: at,
      ended_at: null,
      until: 'until' in event ? event.until : null,
      count: 1,
      actor_kind: actor?.kind ?? null,
      actor_id: actor !== null && 'id' in actor ? actor.id : null,
      actor_name: actor !== null && 'name' in actor ? actor.name : null,
    };
    const full = seen.rows.length >= mostRows;
    const earlier = full || comesAndGoes.has(row.event) ? seen.rows.findLast((other) => isSame(other, row, full)) : undefined;
    if (earlier === undefined) seen.rows.push(row);
    else {
      earlier.count++;
      earlier.last_at = at;
      earlier.until = row.until;
      earlier.ended_at = null;
    }
    const kept = earlier ?? row;
    this.#unwritten.set(kept.id, { row: kept, lease: number.lease });
    return kept;
  }

  #watchStart(seen: Remembered, happened: Happened): void {
    seen.starting = happened;
    const { clock } = this.#options;
    if (this.#rounds.stopped) return;
    this.#startTimer ??= clock.after(startMs, () => {
      this.#startTimer = null;
      for (const remembered of this.#numbers.values()) {
        const { starting } = remembered;
        if (starting === null) continue;
        if (starting.at > clock.now() - startMs) this.#watchStart(remembered, starting);
        else this.#pending.push({ ...starting, event: { event: 'lost', detail: 'start', until: null } });
      }
      if (this.#pending.length > 0) this.#soon();
    });
  }
}

/** History is read in the order of its times, so what comes in the same moment is put a millisecond later. */
function after(before: HistoryRow | undefined, at: number): number {
  return before !== undefined && before.at >= at && before.at < at + 1000 ? before.at + 1 : at;
}

/** What happens without anybody doing it, perhaps many times an hour. */
const comesAndGoes: ReadonlySet<string> = new Set<NumberEvent['event']>(['lost', 'restricted', 'unrestricted', 'pairing_failed']);

function isSame(a: HistoryRow, b: HistoryRow, roughly: boolean): boolean {
  if (a.event !== b.event || a.detail !== b.detail) return false;
  return roughly || (a.note === b.note && a.actor_id === b.actor_id);
}
