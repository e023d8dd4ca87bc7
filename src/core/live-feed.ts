import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

/** How many events are kept for those who come back. */
const keptEvents = 1000;
/** How long an account still counts as heard after its last listener left, so that one who comes back has missed nothing. */
const stillHeardMs = 5 * 60 * 1000;

/** An event as a listener gets it. */
export interface Told<Event> {
  /** Grows with every event of the process, and from one process to the next. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly accountId: string;
  readonly event: Event;
}

/** Whose events: one account's, or those of all accounts that are told to all. */
type Scope = string | 'all';

type Listener<Event> = (told: Told<Event>) => void;

interface Heard<Event> {
  readonly listeners: Set<Listener<Event>>;
  /** No event of the account after this number was left untold. */
  readonly from: number;
  /** Of the stopwatch. */
  leftAt: number;
}

/** The other processes of an installation, whose listeners hear what happens here and the other way round. */
export interface Relay<Event> {
  /** Tells the others; `forAll`: also those who listen to all accounts. */
  publish(accountId: string, event: Event, forAll: boolean): void;
  /** Somebody listens to this account here. */
  listens(accountId: string): void;
  /** Whether somebody listens to it elsewhere. */
  isHeard(accountId: string): boolean;
}

interface Options<Event> {
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  /** Absent: there are no other processes. */
  readonly relay?: Relay<Event>;
}

/**
 * What happens in this process, told to whoever listens at the moment. The last 1,000 events are kept, so that a listener whose connection
 * broke can go on where it was. Nothing of it is stored.
 */
export class LiveFeed<Event> {
  readonly #clock: Clock;
  readonly #log: Options<Event>['log'];
  readonly #relay: Relay<Event> | undefined;
  readonly #toAll = new Set<Listener<Event>>();
  readonly #accounts = new Map<string, Heard<Event>>();
  readonly #kept: { readonly told: Told<Event>; readonly forAll: boolean }[] = [];
  #last: number;
  /** The number up to which nothing is kept. */
  #forgotten: number;

  constructor({ clock, log, relay }: Options<Event>) {
    this.#clock = clock;
    this.#log = log;
    this.#relay = relay;
    // Above every number of an earlier process, which a listener may come back with: no process tells a thousand events per millisecond.
    this.#last = clock.now() * 1000;
    this.#forgotten = this.#last;
  }

  /** The number of the latest event: where one who begins to listen now goes on from. */
  get last(): number {
    return this.#last;
  }

  /** Tells those who listen to the account and those who listen to all. */
  publish(accountId: string, event: Event): void {
    this.#tell(accountId, event, true);
    this.#relay?.publish(accountId, event, true);
  }

  /** Tells those alone who listen to this account: for what is too frequent to be told of all. Needed only while `isHeard`. */
  publishToAccount(accountId: string, event: Event): void {
    this.#tell(accountId, event, false);
    this.#relay?.publish(accountId, event, false);
  }

  /** Tells the listeners here what happened in another process. */
  relayed(accountId: string, event: Event, forAll: boolean): void {
    this.#tell(accountId, event, forAll);
  }

  /** Something of other processes may have been missed: whoever comes back loads everything anew. */
  missed(): void {
    this.#forgotten = ++this.#last;
    this.#kept.length = 0;
  }

  /** The accounts that somebody listens to here at the moment. */
  listenedTo(): string[] {
    return [...this.#accounts].filter(([, { listeners }]) => listeners.size > 0).map(([id]) => id);
  }

  /** Whether somebody listens to this account, or did within the last 5 minutes and may come back. */
  isHeard(accountId: string): boolean {
    const heard = this.#accounts.get(accountId);
    return (heard !== undefined && this.#counts(heard)) || this.#relay?.isHeard(accountId) === true;
  }

  /**
   * Calls the listener with every event of the scope from now on, until the returned function is called. The listener must not block; one
   * that throws is reported and keeps listening.
   */
  subscribe(scope: Scope, listener: Listener<Event>): () => void {
    // A function of its own, so that one listener may subscribe twice.
    const own: Listener<Event> = (told) => listener(told);
    if (scope === 'all') {
      this.#toAll.add(own);
      return () => void this.#toAll.delete(own);
    }
    const heard = this.#hear(scope);
    heard.listeners.add(own);
    this.#relay?.listens(scope);
    return () => {
      if (!heard.listeners.delete(own) || heard.listeners.size > 0) return;
      heard.leftAt = this.#clock.monotonic();
    };
  }

  /**
   * The events of the scope after this number, oldest first; null when some of them are no longer known, so that the listener must load
   * everything anew. Call it, or read `last`, right after `subscribe`, without waiting in between.
   */
  since(scope: Scope, number: number): readonly Told<Event>[] | null {
    const known = number >= this.#forgotten && number <= this.#last;
    if (!known || (scope !== 'all' && number < this.#heardFrom(scope))) return null;
    return this.#kept
      .filter(({ told, forAll }) => told.number > number && (scope === 'all' ? forAll : told.accountId === scope))
      .map(({ told }) => told);
  }

  #tell(accountId: string, event: Event, forAll: boolean): void {
    const told: Told<Event> = { number: ++this.#last, at: this.#clock.now(), accountId, event };
    this.#kept.push({ told, forAll });
    if (this.#kept.length > keptEvents) this.#forgotten = this.#kept.shift()?.told.number ?? this.#last;
    for (const listener of [...(this.#accounts.get(accountId)?.listeners ?? []), ...(forAll ? this.#toAll : [])]) {
      try {
        listener(told);
      } catch (error) {
        this.#log.error({ err: error }, 'a listener of the live feed failed');
      }
    }
  }

  #hear(accountId: string): Heard<Event> {
    for (const [id, heard] of this.#accounts) if (!this.#counts(heard)) this.#accounts.delete(id);
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    // A number of its own, so that one who comes back with the latest number is told apart from one who begins now.
    const heard: Heard<Event> = { listeners: new Set(), from: ++this.#last, leftAt: 0 };
    this.#accounts.set(accountId, heard);
    return heard;
  }

  #heardFrom(accountId: string): number {
    return this.#accounts.get(accountId)?.from ?? Number.POSITIVE_INFINITY;
  }

  #counts({ listeners, leftAt }: Heard<Event>): boolean {
    return listeners.size > 0 || this.#clock.monotonic() - leftAt < stillHeardMs;
  }
}
