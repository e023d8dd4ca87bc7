import { hostname } from 'node:os';
import { type Clock, type Log, OperatorError, Periodic, type Timer, withTimeout } from '../core/index.ts';
import { type Agreement, type Balance, JoinRefused, type Lease, type Leased, type Leases } from '../store/index.ts';
import type { SessionEvents } from './session-events.ts';

/** The only server of a database needs no time limit: the next server ends it. */
const unlimitedMs = 10 * 365 * 24 * 60 * 60 * 1000;
/** How often the only server looks whether another one has ended it. */
const lookEveryMs = 5_000;
/** How long a node's leases hold after a renewal. */
const ttlMs = 8_000;
const renewEveryMs = 2_000;
/** A node that cannot renew gives up its numbers after this time, so that each link has closed before another node may open it. */
const provenMs = 5_000;
/** How long one statement may take. */
const statementMs = 3_000;
/** How many numbers to take in one statement. */
const wave = 200;
/** Free numbers are taken after a random part of this time, so that nodes do not all ask at once. */
const jitterMs = 300;
/** How many numbers a node that has more than its share gives away at a time. */
const mostGiven = 5;
/** How long a new number waits for this node to be one again. */
const newNumberMs = 5_000;
const newNumberPauseMs = 200;

/** The numbers of this process, as the ownership sees them. */
export interface Owned {
  /** How many it has. */
  count(): number;
  has(instanceId: string): boolean;
  /** Connects numbers that are this process's own from now on. */
  adopt(leased: readonly Leased[]): void;
  /** Closes the links of every number, at once: they are somebody else's soon. */
  dropAll(): Promise<void>;
  /** Closes the links of at most so many numbers, those that are not in use first; resolves to their ids. */
  giveUp(most: number): Promise<readonly string[]>;
}

interface OwnershipOptions {
  readonly leases: Leases;
  /** True: no other server may share the database. */
  readonly alone: boolean;
  /** Where the other servers reach this one. */
  address(): string;
  /** What this server must agree on with the others. */
  readonly agreement?: Agreement | undefined;
  /** Only numbers of these are taken. */
  readonly networks: readonly string[];
  readonly owned: Owned;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Called when this server can own numbers no more: it is alone and another has ended it, or the others do not agree with it. */
  onLost(error: OperatorError): void;
  /** Rejects when this process must not be one of the nodes now. */
  mayJoin(): Promise<void>;
  /** Called with the id of this node whenever it gets a new one. */
  onNode(nodeId: string): void;
  /** Tells the other nodes that there are free numbers. */
  tellFree(): void;
  readonly events?: SessionEvents | null;
  readonly clock: Clock;
}

/** Which numbers this process owns, on a store that several servers can reach. */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #clock: Clock;
  readonly #renewals: Periodic;
  #proof: Timer | null = null;
  /** Of the stopwatch. */
  #provenUntil = Number.NEGATIVE_INFINITY;
  #waveTimer: Timer | null = null;
  #nodeId: string | null = null;
  #retiring = false;
  #taking = false;
  /** Numbers are being given back or taken. */
  #busy = false;
  #draining = false;
  /** How many numbers are being taken one by one. */
  #takings = 0;
  /** Numbers that this node owned according to the database at the last look, and that it does not have. */
  #strays: ReadonlySet<string> = new Set();

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const { clock, alone, log } = options;
    const failed = 'this server could not renew its right to its numbers';
    this.#renewals = new Periodic({ clock, everyMs: alone ? lookEveryMs : renewEveryMs, work: () => this.#renew(), log, failed });
  }

  /** Why this process should own nothing now: it was asked to give its numbers away, or cannot prove its right to any. null: it may. */
  get idleFor(): 'draining' | 'no_lease' | null {
    if (this.#nodeId === null) return 'no_lease';
    return this.#draining ? 'draining' : null;
  }

  /** Becomes a node and takes every number that is free: alone all there are, otherwise a fair share. */
  async start(): Promise<void> {
    await this.#join();
    // Taking many numbers may last longer than the right to them.
    this.#renewals.start();
    await this.#takeFree();
  }

  /** What `work` takes is not given back before it has ended, although nobody serves it yet. */
  async whileTaking<T>(work: () => Promise<T>): Promise<T> {
    this.#takings++;
    try {
      return await work();
    } finally {
      this.#takings--;
    }
  }

  /** Takes this number if nobody owns it; null when another server does. To be called within `whileTaking`. */
  async take(instanceId: string): Promise<Lease | null> {
    const nodeId = this.#nodeId;
    const lease = nodeId === null || this.#retiring ? null : await this.#options.leases.take(instanceId);
    // The node's lease may have expired, and the node may have joined again, while the database was asked.
    if (lease === null || lease.nodeId !== this.#nodeId) return null;
    this.#options.events?.taken(1);
    return lease;
  }

  /** Takes a number that was just created; waits while this node can own nothing. null when that takes too long. */
  async takeNew(instanceId: string): Promise<Lease | null> {
    const giveUpAt = this.#clock.monotonic() + newNumberMs;
    for (;;) {
      const lease = await this.whileTaking(() => this.take(instanceId));
      if (lease !== null || this.#clock.monotonic() > giveUpAt || this.#renewals.stopped) return lease;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#clock.after(newNumberPauseMs, resolve);
      await promise;
    }
  }

  /** Free numbers were told of. */
  thereAreFree(): void {
    if (this.#renewals.stopped || this.#retiring || this.#waveTimer !== null) return;
    this.#waveTimer = this.#clock.after(this.#options.random() * jitterMs, () => {
      this.#waveTimer = null;
      this.#takeFree().catch((error: unknown) => this.#options.log.error({ err: error }, 'free numbers could not be taken'));
    });
  }

  /** Keeps what it owns, and takes nothing more: the process stops soon, and nobody would find what it took now. */
  retire(): void {
    this.#retiring = true;
  }

  /** Stops renewing; to be called before the links close. */
  stop(): void {
    // Not waited for: a renewal that comes to its end now changes nothing.
    void this.#renewals.stop();
    for (const timer of [this.#proof, this.#waveTimer]) timer?.cancel();
  }

  /** Gives every number back, once its link has closed. */
  async leave(): Promise<void> {
    this.stop();
    await this.#options.leases.leave();
    this.#options.tellFree();
  }

  async #join(): Promise<void> {
    const { leases, alone, address, networks, agreement, mayJoin, onNode } = this.#options;
    await mayJoin();
    const askedAt = this.#clock.monotonic();
    const name = `${hostname()}:${process.pid}`;
    const node = { name, address: address(), ttlMs: alone ? unlimitedMs : ttlMs, alone, networks, ...(agreement && { agreement }) };
    this.#nodeId = await leases.join(node);
    this.#proven(askedAt);
    onNode(this.#nodeId);
  }

  async #renew(): Promise<void> {
    const { leases, alone, onLost, log } = this.#options;
    if (this.#nodeId === null) {
      if (this.#retiring) return;
      try {
        await this.#join();
      } catch (error) {
        // While this server was none, others have joined that do not agree with it.
        if (!(error instanceof JoinRefused)) throw error;
        this.stop();
        return onLost(error);
      }
      return this.#meanwhile(() => this.#takeFree());
    }
    const askedAt = this.#clock.monotonic();
    const late = () => {
      throw new Error(`the database did not answer within ${statementMs} ms`);
    };
    const renewed = await withTimeout(this.#clock, statementMs, leases.renew(alone ? unlimitedMs : ttlMs), late);
    if (this.#renewals.stopped || this.#nodeId === null) return;
    if (renewed) {
      this.#proven(askedAt);
      this.#meanwhile(() => this.#lookAfter());
    } else if (alone) {
      this.stop();
      onLost(new OperatorError('another gateway server has taken over this database'));
    } else {
      log.warn({}, 'the lease of this node has expired; its numbers are free for others');
      await this.#lose();
    }
  }

  /** Does this alongside the renewals, unless the last such work is still running: it may take longer than a lease is valid. */
  #meanwhile(work: () => Promise<void>): void {
    if (this.#busy) return;
    this.#busy = true;
    work()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'the numbers of this server could not be checked'))
      .finally(() => {
        this.#busy = false;
      });
  }

  /** Gives back and takes numbers, so that each is served and every server has its share. */
  async #lookAfter(): Promise<void> {
    const { leases, alone } = this.#options;
    const balance = await leases.balance();
    this.#draining = balance.draining;
    await this.#freeStrays(balance);
    if (!alone) await this.#evenOut(balance);
  }

  /** Whether this server can prove its right to its numbers at this moment: after a halt it may have lost it without having noticed yet. */
  get holds(): boolean {
    return this.#options.alone || this.#clock.monotonic() < this.#provenUntil;
  }

  /** The leases hold since this time of the stopwatch. */
  #proven(since: number): void {
    if (this.#options.alone) return;
    this.#proof?.cancel();
    this.#provenUntil = since + provenMs;
    const left = this.#provenUntil - this.#clock.monotonic();
    this.#proof = this.#clock.after(Math.max(0, left), () => {
      this.#options.log.warn({}, 'this node cannot renew its right to its numbers and closes their links');
      this.#lose().catch((error: unknown) => this.#options.log.error({ err: error }, 'a link could not be closed'));
    });
  }

  /** The next renewal joins again, under another id: late writes under the old one are refused. */
  async #lose(): Promise<void> {
    if (this.#nodeId !== null) this.#options.events?.rightLost();
    this.#nodeId = null;
    this.#proof?.cancel();
    await this.#options.owned.dropAll();
  }

  /**
   * Gives back numbers that nobody serves: the answer to a statement that took them, or gave them back, was lost. Only what was missing twice,
   * because a number that is just being taken is missing too.
   */
  async #freeStrays({ own }: Balance): Promise<void> {
    const { leases, owned, alone, log } = this.#options;
    const nodeId = this.#nodeId;
    const missing = own === owned.count() ? [] : (await leases.own()).filter((id) => !owned.has(id));
    const isTaking = this.#taking || this.#takings > 0;
    const lasting = isTaking ? [] : missing.filter((id) => this.#strays.has(id) && !owned.has(id));
    // What is given back now and taken again is missing for the first time then.
    this.#strays = new Set(isTaking ? [] : missing.filter((id) => !lasting.includes(id)));
    // Under another id these numbers may be served again.
    if (lasting.length === 0 || nodeId !== this.#nodeId) return;
    await leases.release(lasting);
    log.warn({ numbers: lasting.length }, 'this node owned numbers without serving them, and gave them back');
    if (alone) await this.#takeFree();
    else this.#options.tellFree();
  }

  async #evenOut({ free, share, draining }: Balance): Promise<void> {
    const { leases, owned, log } = this.#options;
    const nodeId = this.#nodeId;
    if (free > 0 && !draining) await this.#takeFree();
    const surplus = owned.count() - (draining ? 0 : share);
    // A node keeps one more than its share, so that a remainder of the division does not move numbers around forever.
    if (surplus <= (draining ? 0 : 1)) return;
    const given = await owned.giveUp(draining ? wave : Math.min(surplus, mostGiven));
    // If its lease expired meanwhile, they are free already, and this process may own them again under another id.
    if (given.length === 0 || nodeId !== this.#nodeId) return;
    await leases.release(given);
    this.#options.events?.given(given.length);
    log.info({ numbers: given.length }, draining ? 'a draining node gave numbers away' : 'a node gave numbers to others that have fewer');
    this.#options.tellFree();
  }

  async #takeFree(): Promise<void> {
    const { leases, owned, alone } = this.#options;
    if (this.#taking || this.#retiring) return;
    this.#taking = true;
    try {
      for (;;) {
        const { free, share, draining } = await leases.balance();
        this.#draining = draining;
        const room = alone ? free : Math.min(free, share - owned.count());
        if (room <= 0 || draining || this.#retiring || this.#renewals.stopped || this.#nodeId === null) return;
        const taken = await leases.acquire(Math.min(room, wave));
        if (taken.length === 0) return;
        // While the database was asked, the time of the node may have ended.
        const ours = taken.filter(({ lease }) => lease.nodeId === this.#nodeId);
        if (ours.length > 0) this.#options.events?.taken(ours.length);
        owned.adopt(ours);
      }
    } finally {
      this.#taking = false;
    }
  }
}
