import { type Clock, type Log, newId, StoreUnavailable, type Timer } from '../../core/index.ts';
import type { HistoryRow, Lease, Store } from '../../store/index.ts';
import type { NumberEvent, ToldNumber } from './number-event.ts';
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

interface Told {
  readonly number: ToldNumber;
  readonly event: NumberEvent;
  readonly at: number;
}

/** What this process remembers of a number, so that nothing is read before something is written. */
interface Remembered {
  /** Of the last hour, oldest first. */
  rows: HistoryRow[];
  /** The interruption that has not ended. */
  loss: HistoryRow | null;
  /** Since when it connects after a start; null once it is connected or counts as lost. */
  starting: Told | null;
}

interface NumberHistoryOptions {
  readonly store: Store;
  /** Says when something happened. */
  readonly clock: Clock;
  /** Measures the waits. */
  readonly stopwatch: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** Called with numbers whose history has changed, when it can be read. */
  stored(numbers: readonly Pick<ToldNumber, 'id' | 'accountId'>[]): void;
}

/**
 * Writes what happens to the numbers of this process: the only writer of `number_history`. Telling costs nothing but a place in a list; the
 * list is written a moment later, for all numbers together. While the store is down the list waits, and a crash loses what waits.
 */
export class NumberHistory {
  readonly #options: NumberHistoryOptions;
  readonly #numbers = new Map<string, Remembered>();
  #told: Told[] = [];
  /** Rows that are new or have changed, by id. */
  #unwritten = new Map<string, { readonly row: HistoryRow; readonly lease: Lease | null }>();
  #timer: Timer | null = null;
  #startTimer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #waits = false;
  /** In a row, for another reason than a store that is away. */
  #failures = 0;
  #stopped = false;

  constructor(options: NumberHistoryOptions) {
    this.#options = options;
  }

  /** Something has happened to a number, now. */
  tell(number: ToldNumber, event: NumberEvent): void {
    this.#told.push({ number, event, at: this.#options.clock.now() });
    if (this.#told.length > mostWaiting) {
      this.#told = this.#told.slice(mostWaiting / 2);
      this.#options.log.warn({}, 'the history of numbers cannot be stored; its oldest part is lost');
    }
    this.#soon(gatherMs);
  }

  /** This process has the number no longer. What was told of it is still written. */
  forget(instanceId: string): void {
    this.#numbers.delete(instanceId);
  }

  /** Resolves when everything that was told has been tried to write. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes what is left, once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#startTimer?.cancel();
    await this.flush();
  }

  #soon(ms: number): void {
    if (this.#stopped) return;
    this.#timer ??= this.#options.stopwatch.after(ms, () => {
      this.#timer = null;
      void this.flush();
    });
  }

  async #write(): Promise<void> {
    const { store, log, stored } = this.#options;
    const told = this.#told;
    this.#told = [];
    try {
      const unknown = new Set(told.flatMap(({ number, event }) => (this.#isKnown(number, event) ? [] : [number.id])));
      const lasting = await lastingLosses(store.db, [...unknown]);
      for (const id of unknown) this.#numbers.set(id, { rows: [], loss: lasting.get(id) ?? null, starting: null });
      for (const one of told.splice(0)) this.#note(one);
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
      this.#told = [...told, ...this.#told];
      this.#soon(retryMs);
    }
  }

  /** A number that this process has just taken may have been another server's meanwhile. */
  #isKnown({ id }: ToldNumber, { event }: NumberEvent): boolean {
    return event !== 'starting' && this.#numbers.has(id);
  }

  #note(told: Told): void {
    const { number, event } = told;
    const seen = this.#numbers.get(number.id) ?? { rows: [], loss: null, starting: null };
    switch (event.event) {
      case 'starting':
        if (seen.loss === null) this.#watchStart(seen, told);
        return;
      case 'back':
        this.#isOver(seen, told);
        return;
      case 'lost':
        // A number that is back after its start tells of it only here.
        if (seen.loss !== null || (event.detail === 'start' && seen.starting === null)) return;
        seen.starting = null;
        seen.loss = this.#add(seen, told, { event: 'lost', detail: event.detail, until: event.until });
        return;
      case 'restricted':
      case 'unrestricted':
        this.#add(seen, told, { event: event.event, detail: event.detail, until: event.until });
        return;
      case 'pairing_failed': {
        // PostgreSQL holds no NUL.
        const note = event.note?.replaceAll('\0', '').slice(0, mostNote) ?? null;
        this.#add(seen, told, { event: event.event, detail: event.detail, note });
        return;
      }
      case 'linked':
      case 'taken_back':
      case 'disconnected':
      case 'deleted': {
        this.#isOver(seen, told);
        const { actor } = event;
        this.#add(seen, told, {
          event: event.event,
          actor_kind: actor.kind,
          actor_id: 'id' in actor ? actor.id : null,
          actor_name: 'name' in actor ? actor.name : null,
        });
        if (event.event === 'deleted') this.#numbers.delete(number.id);
        return;
      }
      case 'parked':
      case 'unlinked':
      case 'banned':
      case 'refused':
        this.#isOver(seen, told);
        this.#add(seen, told, { event: event.event });
        return;
    }
  }

  /** The interruption has ended. */
  #isOver(seen: Remembered, { number, at }: Told): void {
    seen.starting = null;
    if (seen.loss === null) return;
    seen.loss.ended_at = Math.max(at, seen.loss.last_at);
    this.#unwritten.set(seen.loss.id, { row: seen.loss, lease: number.lease });
    seen.loss = null;
  }

  /** Adds a row, or counts it in one of the last hour that is the same. */
  #add(seen: Remembered, told: Told, what: Partial<HistoryRow> & Pick<HistoryRow, 'event'>): HistoryRow {
    const { number } = told;
    const at = after(seen.rows.at(-1), told.at);
    seen.rows = seen.rows.filter((row) => row.at > at - togetherMs);
    const row: HistoryRow = {
      id: newId(),
      account_id: number.accountId,
      instance_id: number.id,
      detail: null,
      note: null,
      at,
      last_at: at,
      ended_at: null,
      until: null,
      count: 1,
      actor_kind: null,
      actor_id: null,
      actor_name: null,
      ...what,
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

  #watchStart(seen: Remembered, told: Told): void {
    seen.starting = told;
    const { clock } = this.#options;
    if (this.#stopped) return;
    this.#startTimer ??= clock.after(startMs, () => {
      this.#startTimer = null;
      for (const remembered of this.#numbers.values()) {
        const { starting } = remembered;
        if (starting === null) continue;
        if (starting.at > clock.now() - startMs) this.#watchStart(remembered, starting);
        else this.#told.push({ ...starting, event: { event: 'lost', detail: 'start', until: null } });
      }
      if (this.#told.length > 0) this.#soon(gatherMs);
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
