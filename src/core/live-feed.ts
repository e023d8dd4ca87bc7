import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** How many events are kept for those who come back. */
const keptEvents = 1000;
/** How long an account still counts as listened to after its last listener left, so that one who comes back has missed nothing. */
const lingerMs = 5 * 60 * 1000;

/** An event as a listener gets it. */
export interface FeedEvent<Event> {
  /** Grows with every event of the process, and from one process to the next. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly accountId: string;
  readonly event: Event;
}

/** Whose events: one account's, or the public ones of all accounts. */
type Scope = string | 'all';

type Listener<Event> = (event: FeedEvent<Event>) => void;

interface Listened<Event> {
  readonly listeners: Set<Listener<Event>>;
  /** Every event of the account after this number is known. */
  readonly from: number;
  /** Of the stopwatch. */
  leftAt: number;
}

/** The way to the listeners of the other processes of an installation. */
export interface Relay<Event> {
  /** `forAll`: also to those who listen to all accounts. */
  publish(accountId: string, event: Event, forAll: boolean): void;
  /** Announces that somebody listens to this account here. */
  announce(accountId: string): void;
  /** Whether somebody listens to it elsewhere. */
  hasListeners(accountId: string): boolean;
}

interface Options<Event> {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Absent: there are no other processes. */
  readonly relay?: Relay<Event>;
}

/**
 * Events of this process, for whoever listens at the moment. The last 1,000 are kept in memory, so that a listener whose connection broke can go
 * on where it was.
 */
export class LiveFeed<Event> {
  readonly #clock: Clock;
  readonly #log: Options<Event>['log'];
  readonly #relay: Relay<Event> | undefined;
  readonly #toAll = new Set<Listener<Event>>();
  readonly #accounts = new Map<string, Listened<Event>>();
  readonly #kept: { readonly event: FeedEvent<Event>; readonly forAll: boolean }[] = [];
  /** Different for every process: numbers of another say nothing here. */
  readonly began: number;
  #last: number;
  /** The number up to which nothing is kept. */
  #forgotten: number;

  constructor({ clock, log, relay }: Options<Event>) {
    this.#clock = clock;
    this.#log = log;
    this.#relay = relay;
    // Above every number of an earlier process, which a listener may come back with: no process has a thousand events per millisecond.
    this.began = clock.now();
    this.#last = this.began * 1000;
    this.#forgotten = this.#last;
  }

  /** The number of the latest event: where one who begins to listen now goes on from. */
  get last(): number {
    return this.#last;
  }

  /** Keeps the events of the scope for somebody who will soon come for them; the number to come with. */
  expect(scope: Scope): number {
    this.subscribe(scope, () => undefined)();
    return this.#last;
  }

  /** To those who listen to the account and those who listen to all. */
  publish(accountId: string, event: Event): void {
    this.#emit(accountId, event, true);
    this.#relay?.publish(accountId, event, true);
  }

  /** To those alone who listen to this account: for what is too frequent for the others. Needed only while it has listeners. */
  publishToAccount(accountId: string, event: Event): void {
    this.#emit(accountId, event, false);
    this.#relay?.publish(accountId, event, false);
  }

  /** Publishes to the listeners here an event of another process. */
  onRelayed(accountId: string, event: Event, forAll: boolean): void {
    this.#emit(accountId, event, forAll);
  }

  /** Events of other processes may have been missed: whoever comes back loads everything anew. */
  onMissed(): void {
    this.#forgotten = ++this.#last;
    this.#kept.length = 0;
  }

  /** The accounts that somebody listens to here at the moment. */
  listenedAccounts(): string[] {
    return [...this.#accounts].filter(([, { listeners }]) => listeners.size > 0).map(([id]) => id);
  }

  /** Whether somebody listens to this account, or did within the last 5 minutes and may come back. */
  hasListeners(accountId: string): boolean {
    const listened = this.#accounts.get(accountId);
    return (listened !== undefined && this.#counts(listened)) || this.#relay?.hasListeners(accountId) === true;
  }

  /**
   * Calls the listener with every event of the scope from now on, until the returned function is called. The listener must not block; one
   * that throws is reported and keeps listening.
   */
  subscribe(scope: Scope, listener: Listener<Event>): () => void {
    // A function of its own, so that one listener may subscribe twice.
    const own: Listener<Event> = (event) => listener(event);
    if (scope === 'all') {
      this.#toAll.add(own);
      return () => void this.#toAll.delete(own);
    }
    const listened = this.#listenedTo(scope);
    listened.listeners.add(own);
    this.#relay?.announce(scope);
    return () => {
      if (!listened.listeners.delete(own) || listened.listeners.size > 0) return;
      listened.leftAt = this.#clock.monotonic();
    };
  }

  /**
   * The events of the scope after this number, oldest first; null when some of them are no longer known, so that the listener must load
   * everything anew. Call it, or read `last`, right after `subscribe`, without waiting in between.
   */
  since(scope: Scope, number: number): readonly FeedEvent<Event>[] | null {
    const known = number >= this.#forgotten && number <= this.#last;
    if (!known || (scope !== 'all' && number < this.#knownFrom(scope))) return null;
    return this.#kept
      .filter(({ event, forAll }) => event.number > number && (scope === 'all' ? forAll : event.accountId === scope))
      .map(({ event }) => event);
  }

  #emit(accountId: string, event: Event, forAll: boolean): void {
    const numbered: FeedEvent<Event> = { number: ++this.#last, at: this.#clock.now(), accountId, event };
    this.#kept.push({ event: numbered, forAll });
    if (this.#kept.length > keptEvents) this.#forgotten = this.#kept.shift()?.event.number ?? this.#last;
    for (const listener of [...(this.#accounts.get(accountId)?.listeners ?? []), ...(forAll ? this.#toAll : [])]) {
      try {
        listener(numbered);
      } catch (error) {
        this.#log.error({ err: error }, 'a listener of the live feed failed');
      }
    }
  }

  #listenedTo(accountId: string): Listened<Event> {
    for (const [id, listened] of this.#accounts) if (!this.#counts(listened)) this.#accounts.delete(id);
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    // A number of its own, so that one who comes back with the latest number differs from one who begins now.
    const listened: Listened<Event> = { listeners: new Set(), from: ++this.#last, leftAt: 0 };
    this.#accounts.set(accountId, listened);
    return listened;
  }

  #knownFrom(accountId: string): number {
    return this.#accounts.get(accountId)?.from ?? Number.POSITIVE_INFINITY;
  }

  #counts({ listeners, leftAt }: Listened<Event>): boolean {
    return listeners.size > 0 || this.#clock.monotonic() - leftAt < lingerMs;
  }
}
