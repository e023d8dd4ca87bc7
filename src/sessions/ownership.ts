import { hostname } from 'node:os';
import { type Clock, type Log, OperatorError, Periodic, type Timer, withTimeout } from '../core/index.ts';
import { type Balance, JoinRefused, type Lease, type Leased, type Leases } from '../store/index.ts';
import type { ClusterSide, SessionEvents } from './session-parts.ts';

/** The only server of a database needs no time limit: the next server ends it. */
const unlimitedMs = 10 * 365 * 24 * 60 * 60 * 1000;
/** How often the only server looks whether another one has ended it. */
const lookEveryMs = 5_000;
/** How long a server's leases last after a renewal. */
const ttlMs = 8_000;
const renewEveryMs = 2_000;
/** A server that cannot renew disconnects its numbers after this time, so that no other may connect them before. */
const provenMs = 5_000;
/** How long one statement may take. */
const statementMs = 3_000;
/** How many numbers to take in one statement. */
const wave = 200;
/** Free numbers are taken after a random part of this time, so that servers do not all ask at once. */
const jitterMs = 300;
/** How many numbers a server that has more than its share gives away at a time. */
const mostGiven = 5;
/** How long a new number waits while this server can own nothing. */
const newNumberMs = 5_000;
const newNumberPauseMs = 200;

/** The numbers of this process. */
interface Owned {
  /** How many it has. */
  count(): number;
  has(instanceId: string): boolean;
  /** Serves numbers that are this process's own from now on. */
  adopt(leased: readonly Leased[]): void;
  /** Disconnects every number, at once: they are somebody else's soon. */
  dropAll(): Promise<void>;
  /** Disconnects at most so many numbers, those that are not in use first; resolves to their ids. */
  giveUp(most: number): Promise<readonly string[]>;
  /** Disconnects every number that is not in use; resolves to their ids. */
  giveUpIdle(): Promise<readonly string[]>;
}

interface OwnershipOptions {
  readonly leases: Leases;
  /** null: no other server may share the database. */
  readonly cluster: ClusterSide | null;
  /** Only numbers of these are taken. */
  readonly networks: readonly string[];
  readonly owned: Owned;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Called when this server can own numbers no more: it is alone and another has ended it, or the others do not agree with it. */
  onLost(error: OperatorError): void;
  readonly events?: SessionEvents | null;
  readonly clock: Clock;
}

/** Which numbers this process owns, on a store that several servers can reach. */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #clock: Clock;
  readonly #renewals: Periodic;
  /** null while this process is none of the servers. */
  #nodeId: string | null = null;
  /** Until when this server can prove its right to its numbers, by the stopwatch. */
  #provenUntil = Number.NEGATIVE_INFINITY;
  #proofTimer: Timer | null = null;
  #waveTimer: Timer | null = null;
  #retiring = false;
  #draining = false;
  #taking = false;
  #takings = 0;
  /** Numbers are being given back or taken alongside the renewals. */
  #busy = false;
  /** Numbers that this server owned according to the database at the last look, and that it does not have. */
  #strays: ReadonlySet<string> = new Set();

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const { clock, cluster, log } = options;
    const everyMs = cluster === null ? lookEveryMs : renewEveryMs;
    const failed = 'this server could not renew its right to its numbers';
    this.#renewals = new Periodic({ clock, everyMs, work: () => this.#renew(), log, failed });
  }

  /** Why this process should own nothing now: it was asked to give its numbers away, or cannot prove its right to any. null: it may. */
  get idleFor(): 'draining' | 'no_lease' | null {
    if (this.#nodeId === null) return 'no_lease';
    return this.#draining ? 'draining' : null;
  }

  /** Whether this server can prove its right to its numbers at this moment: after a halt it may have lost it without having noticed yet. */
  get holds(): boolean {
    return this.#options.cluster === null || this.#clock.monotonic() < this.#provenUntil;
  }

  /** Joins the servers of the database and takes free numbers: all there are when it is alone, otherwise a fair share. */
  async start(): Promise<void> {
    await this.#join();
    // Before numbers are taken: with many of them that lasts longer than an unrenewed lease.
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

  /**
   * False when this server's time has ended since the lease was taken, even if it has joined again. To be asked whenever the database was waited for.
   */
  isCurrent({ nodeId }: Lease): boolean {
    return nodeId === this.#nodeId;
  }

  /** Takes this number if nobody owns it; null when another server does. To be called within `whileTaking`. */
  async take(instanceId: string): Promise<Lease | null> {
    const nodeId = this.#nodeId;
    const lease = nodeId === null || this.#retiring ? null : await this.#options.leases.take(instanceId);
    if (lease === null || !this.isCurrent(lease)) return null;
    this.#options.events?.taken(1);
    return lease;
  }

  /** Takes a number that was just created; waits while this server can own nothing. null when that takes too long. */
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

  /** Other servers announced free numbers. */
  thereAreFree(): void {
    if (this.#renewals.stopped || this.#retiring || this.#waveTimer !== null) return;
    this.#waveTimer = this.#clock.after(this.#options.random() * jitterMs, () => {
      this.#waveTimer = null;
      this.#takeFree().catch((error: unknown) => this.#options.log.error({ err: error }, 'free numbers could not be taken'));
    });
  }

  /** Keeps what it owns, and takes nothing more: the process stops soon, and nobody would find what it took now. Others expect nothing of it. */
  async retire(): Promise<void> {
    this.#retiring = true;
    const { leases, cluster, log } = this.#options;
    if (cluster === null || this.#nodeId === null) return;
    const failed = (error: unknown) => log.error({ err: error }, 'the other servers could not be told that this one stops');
    await leases.drain(this.#nodeId, true).catch(failed);
  }

  /**
   * Gives the others every number that is not in use; to be called after `retire`, when requests keep this server from leaving. Gives nothing when
   * every other one stops too: requests would find their numbers nowhere.
   */
  async giveIdle(): Promise<void> {
    const { cluster, owned } = this.#options;
    if (cluster === null || this.#nodeId === null || !(await this.#anotherStays())) return;
    await this.#give(() => owned.giveUpIdle(), 'others, because it is about to stop');
  }

  /** Stops renewing; to be called before the numbers disconnect. */
  stop(): void {
    // Not waited for: a renewal that comes to its end now changes nothing.
    void this.#renewals.stop();
    for (const timer of [this.#proofTimer, this.#waveTimer]) timer?.cancel();
  }

  /** Gives every number back; to be called when all are disconnected. */
  async leave(): Promise<void> {
    this.stop();
    await this.#options.leases.leave();
    this.#options.cluster?.announceFree();
  }

  async #join(): Promise<void> {
    const { leases, cluster, networks } = this.#options;
    await cluster?.mayJoin();
    const askedAt = this.#clock.monotonic();
    const name = `${hostname()}:${process.pid}`;
    this.#nodeId = await leases.join(
      cluster === null
        ? { name, networks, alone: true, address: '', ttlMs: unlimitedMs }
        : { name, networks, alone: false, address: cluster.address(), ttlMs, agreement: cluster.agreement },
    );
    this.#proven(askedAt);
    cluster?.joined(this.#nodeId);
  }

  async #renew(): Promise<void> {
    const { leases, cluster, onLost, log } = this.#options;
    if (this.#nodeId === null) {
      if (this.#retiring) return;
      try {
        await this.#join();
      } catch (error) {
        // Meanwhile others have joined that do not agree with this server.
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
    const renewed = await withTimeout(this.#clock, statementMs, leases.renew(cluster === null ? unlimitedMs : ttlMs), late);
    if (this.#renewals.stopped || this.#nodeId === null) return;
    if (renewed) {
      this.#proven(askedAt);
      // What is given away before a stop is neither taken again nor taken for lost.
      if (!this.#retiring) this.#meanwhile(() => this.#lookAfter());
    } else if (cluster === null) {
      this.stop();
      onLost(new OperatorError('another gateway server has taken over this database'));
    } else {
      log.warn({}, 'the lease of this server has expired; its numbers are free for others');
      await this.#lose();
    }
  }

  /** Works alongside the renewals, unless the last such work is still running: it may take longer than a lease is valid. */
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
    const { leases, cluster } = this.#options;
    const balance = await leases.balance();
    this.#draining = balance.draining;
    await this.#freeStrays(balance);
    if (cluster !== null) await this.#evenOut(balance);
  }

  /** The leases were renewed at this time of the stopwatch or later. */
  #proven(since: number): void {
    if (this.#options.cluster === null) return;
    this.#proofTimer?.cancel();
    this.#provenUntil = since + provenMs;
    const left = this.#provenUntil - this.#clock.monotonic();
    this.#proofTimer = this.#clock.after(Math.max(0, left), () => {
      this.#options.log.warn({}, 'this server cannot renew its right to its numbers and disconnects them');
      this.#lose().catch((error: unknown) => this.#options.log.error({ err: error }, 'a connection could not be closed'));
    });
  }

  /** The next renewal joins again, under another id: late writes under the old one are refused. */
  async #lose(): Promise<void> {
    if (this.#nodeId !== null) this.#options.events?.rightLost();
    this.#nodeId = null;
    this.#proofTimer?.cancel();
    await this.#options.owned.dropAll();
  }

  /**
   * Gives back numbers that nobody serves: the answer to a statement that took them, or gave them back, was lost. Only what was missing twice,
   * because a number that is just being taken is missing too.
   */
  async #freeStrays({ own }: Balance): Promise<void> {
    const { leases, owned, cluster, log } = this.#options;
    const nodeId = this.#nodeId;
    const missing = own === owned.count() ? [] : (await leases.own()).filter((id) => !owned.has(id));
    const isTaking = this.#taking || this.#takings > 0;
    const lasting = isTaking ? [] : missing.filter((id) => this.#strays.has(id) && !owned.has(id));
    // What is given back now and taken again is missing for the first time then.
    this.#strays = new Set(isTaking ? [] : missing.filter((id) => !lasting.includes(id)));
    // Under another id these numbers may be served again.
    if (lasting.length === 0 || nodeId !== this.#nodeId) return;
    await leases.release(lasting);
    log.warn({ numbers: lasting.length }, 'this server owned numbers without serving them, and gave them back');
    if (cluster === null) await this.#takeFree();
    else cluster.announceFree();
  }

  async #evenOut({ free, share, draining }: Balance): Promise<void> {
    const { owned } = this.#options;
    if (free > 0 && !draining) await this.#takeFree();
    const surplus = owned.count() - (draining ? 0 : share);
    // A server keeps one more than its share, so that a remainder of the division does not move numbers around forever.
    if (surplus <= (draining ? 0 : 1)) return;
    if (draining && !(await this.#anotherStays())) return;
    const most = draining ? wave : Math.min(surplus, mostGiven);
    await this.#give(() => owned.giveUp(most), draining ? 'others, because it is draining' : 'others that have fewer');
  }

  /** Whether there is another server that takes numbers. */
  async #anotherStays(): Promise<boolean> {
    const nodes = await this.#options.leases.nodes();
    return nodes.some(({ id, draining }) => id !== this.#nodeId && !draining);
  }

  /** Gives the numbers that `giveUp` disconnects to others. */
  async #give(giveUp: () => Promise<readonly string[]>, to: string): Promise<void> {
    const { leases, cluster, events, log } = this.#options;
    const nodeId = this.#nodeId;
    const given = await giveUp();
    // If its lease expired meanwhile, they are free already, and this process may own them again under another id.
    if (given.length === 0 || nodeId !== this.#nodeId) return;
    await leases.release(given);
    events?.given(given.length);
    log.info({ numbers: given.length }, `this server gave numbers to ${to}`);
    cluster?.announceFree();
  }

  async #takeFree(): Promise<void> {
    const { leases, owned, cluster } = this.#options;
    if (this.#taking || this.#retiring) return;
    this.#taking = true;
    try {
      for (;;) {
        const { free, share, draining } = await leases.balance();
        this.#draining = draining;
        const room = cluster === null ? free : Math.min(free, share - owned.count());
        if (room <= 0 || draining || this.#retiring || this.#renewals.stopped || this.#nodeId === null) return;
        const taken = await leases.acquire(Math.min(room, wave));
        if (taken.length === 0) return;
        const ours = taken.filter(({ lease }) => this.isCurrent(lease));
        if (ours.length > 0) this.#options.events?.taken(ours.length);
        owned.adopt(ours);
      }
    } finally {
      this.#taking = false;
    }
  }
}
