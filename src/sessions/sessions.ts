import type { Actor } from '../audit/index.ts';
import type { Peers } from '../coordination/index.ts';
import { type Clock, type Log, type OperatorError, OwnershipLost, Semaphore, systemClock, type Vault } from '../core/index.ts';
import type { Network, NetworkName } from '../networks/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { InstanceRow, Lease, Leased, Store } from '../store/index.ts';
import type { ChatBudget } from './chat-budget/budget.ts';
import { ChatBudgets, setChatBudget } from './chat-budget/chat-budgets.ts';
import { ConnectedDays } from './connected-days.ts';
import { NumberHistory } from './history/number-history.ts';
import { deleteInstance, renameInstance } from './instance-changes.ts';
import { createStatePublisher, publishStored, type SessionFeed, stateOf } from './live-events.ts';
import { NumberRecord } from './number-record.ts';
import { OwnSessions } from './own-sessions.ts';
import { Ownership } from './ownership.ts';
import { FollowedProxies, readProxies } from './proxies.ts';
import { allInstances, oneInstance } from './queries.ts';
import { ReconnectHints } from './reconnect.ts';
import { ReturnWatch } from './return-watch.ts';
import { Session } from './session.ts';
import type { ClusterSide, MessageFollowers, SessionEvents, SharedParts } from './session-parts.ts';
import { States } from './states.ts';
import { UnservedNumber, UnservedNumbers } from './unserved.ts';

/** How many numbers log in at once, so that a restart with many numbers does not overload the machine or the network. */
const simultaneousLogins = 20;

interface SessionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Measures what the database's own clock measures too, and goes on when a test halts `clock`; the system's by default. */
  readonly stopwatch?: Clock;
  readonly networks: ReadonlyMap<NetworkName, Network>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly random: () => number;
  readonly feed: SessionFeed;
  readonly outbox: Outbox;
  /** null: nobody counts. */
  readonly events?: SessionEvents | null;
  /** null: nobody follows messages. */
  readonly followers?: MessageFollowers | null;
  /** null: no other server may share the store. */
  readonly cluster: (ClusterSide & { readonly peers: Peers }) | null;
  /** Called once when this process can own numbers no more: another has taken over the store, or the others' settings do not go with its own. */
  onOwnershipLost(error: OperatorError): void;
}

/** The sessions of the instances that this process owns: all there are, unless it is one of several servers. */
export class Sessions {
  /** Of all numbers, on any server. */
  readonly states: States;
  readonly unserved: UnservedNumbers;
  readonly #options: SessionsOptions;
  readonly #sessions = new OwnSessions<Session>();
  /** No longer served, while they are still disconnecting: until then this server must keep their numbers. */
  readonly #closing = new Set<Session>();
  /** null: the store has one server only, which owns every number. */
  readonly #ownership: Ownership | null;
  readonly #shared: SharedParts;
  readonly #days: ConnectedDays;
  readonly #proxies: FollowedProxies;
  readonly #chatBudgets: ChatBudgets;
  readonly #history: NumberHistory;
  readonly #returns: ReturnWatch;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { store, vault, cluster, clock, stopwatch = systemClock, log, random, feed, events = null, followers = null } = options;
    const stored = (numbers: readonly Pick<Session, 'id' | 'accountId'>[]) => publishStored(feed, numbers);
    this.#days = new ConnectedDays({ ...options, sessions: () => this.#sessions.values() });
    this.#proxies = new FollowedProxies({
      ...{ stopwatch, log },
      read: () => readProxies(store, vault),
      changed: async (id) => this.#sessions.get(id)?.reopen(),
    });
    this.#chatBudgets = new ChatBudgets({ store, clock, stopwatch, log, changed: (id) => this.#sessions.get(id)?.budgetChanged() });
    this.#history = new NumberHistory({ store, clock, stopwatch, log, stored });
    this.#returns = new ReturnWatch(stopwatch, log);
    this.unserved = new UnservedNumbers({ ...options, history: this.#history });
    const { unserved } = this;
    this.states = new States(this.#sessions, { store, clock, stopwatch, log, peers: cluster?.peers ?? null, unserved, stored });
    this.#shared = {
      ...{ clock, random, log, feed, events, followers },
      logins: new Semaphore(simultaneousLogins, simultaneousLogins),
      siblings: this.#sessions,
      hints: new ReconnectHints(this.#sessions),
      proxies: this.#proxies,
      chatBudgets: this.#chatBudgets,
      history: this.#history,
      days: this.#days,
    };
    followers?.onChange(() => {
      for (const session of this.#sessions.values()) session.follow();
    });
    const owned = {
      count: () => this.#sessions.size,
      has: (id: string) => this.#sessions.has(id),
      adopt: (leased: readonly Leased[]) => this.#adopt(leased),
      dropAll: () => this.#dropAll(),
      giveUp: (most: number) => this.#giveUp(this.#inOrderOfUse().slice(0, most)),
      giveUpIdle: () => this.#giveUp([...this.#sessions.values()].filter(({ busy }) => !busy)),
    };
    const { leases } = store;
    const ownership = { cluster, owned, random, log, events, clock: stopwatch, onLost: options.onOwnershipLost };
    this.#ownership = leases === null ? null : new Ownership({ leases, networks: [...options.networks.keys()], ...ownership });
  }

  /** Why this process should connect no numbers now; null: it may. */
  get idleFor(): Ownership['idleFor'] {
    return this.#ownership?.idleFor ?? null;
  }

  /** Loads the instances that are this process's own and starts connecting the linked ones. */
  async start(): Promise<void> {
    await this.#proxies.start();
    await this.#chatBudgets.start();
    if (this.#ownership === null) {
      for (const row of await allInstances(this.#options.store.db)) this.#take(row, null)?.resume();
    } else await this.#ownership.start();
    this.#days.start();
  }

  /** Has it logged when the linked numbers of this process are back, and resolves then, or after 5 minutes. */
  watchReturn(): Promise<void> {
    return this.#returns.start(this.all());
  }

  /** Keeps the numbers it has and takes no others; to be called when this process is about to stop. */
  async retire(): Promise<void> {
    await this.#ownership?.retire();
  }

  /** Gives the numbers that are not in use to other servers, if there are any; to be called after `retire`. */
  async giveIdle(): Promise<void> {
    await this.#ownership?.giveIdle();
  }

  /** Closes every connection; linked numbers stay linked. */
  async stop(): Promise<void> {
    const looks = [this.#days.stop(), this.#proxies.stop(), this.#chatBudgets.stop()];
    this.#returns.stop();
    this.#ownership?.stop();
    const closed = await Promise.allSettled([...this.#sessions.values(), ...this.#closing].map((session) => session.stop()));
    await this.#history.stop();
    this.states.stop();
    // Numbers that may still be connected are free for others only when this server's time is over.
    for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
    await this.#ownership?.leave();
    await Promise.all(looks);
  }

  /**
   * Adds a new instance. Null when its network is not enabled; its row then stays as it is. Throws OwnershipLost, with the instance deleted, when
   * this server can own nothing at the moment.
   */
  async add(row: InstanceRow): Promise<Session | null> {
    const { store, clock, feed } = this.#options;
    const lease = (await this.#ownership?.takeNew(row.id)) ?? null;
    if (this.#ownership !== null && lease === null) {
      await deleteInstance(store, { id: row.id, lease: null }, { actor: { kind: 'system' }, now: clock.now() });
      throw new OwnershipLost();
    }
    const session = this.#take(row, lease);
    if (session !== null) feed.publish(session.accountId, { type: 'instance_created', instance: stateOf(session) });
    return session;
  }

  /**
   * Serves an instance that was stored together with its credentials, and connects it. One that this server cannot own now is taken by another, or
   * when it can.
   */
  async addLinked(accountId: string, instanceId: string): Promise<void> {
    const { store, feed } = this.#options;
    if (this.#ownership !== null) await this.adopt(accountId, instanceId);
    else {
      const row = await oneInstance(store.db, accountId, instanceId);
      if (row !== undefined) this.#take(row, null)?.resume();
    }
    const session = this.#sessions.get(instanceId);
    if (session !== undefined) feed.publish(accountId, { type: 'instance_created', instance: stateOf(session) });
  }

  /** Other servers announced numbers that nobody owns. */
  thereAreFree(): void {
    this.#ownership?.thereAreFree();
  }

  /** Takes an instance of the account that nobody owns, to answer for it. False when another server was first, or this one may own nothing now. */
  async adopt(accountId: string, instanceId: string): Promise<boolean> {
    const ownership = this.#ownership;
    if (ownership === null) return this.#sessions.has(instanceId);
    return ownership.whileTaking(async () => {
      const lease = await ownership.take(instanceId);
      if (lease === null) return this.#sessions.has(instanceId);
      const row = await oneInstance(this.#options.store.db, accountId, instanceId);
      if (row === undefined || !ownership.isCurrent(lease)) return false;
      this.#adopt([{ row, lease }]);
      return true;
    });
  }

  #adopt(leased: readonly Leased[]): void {
    // The oldest log in first.
    const byAge = [...leased].sort((a, b) => a.row.created_at - b.row.created_at || (a.row.id < b.row.id ? -1 : 1));
    for (const { row, lease } of byAge) {
      const earlier = this.#sessions.get(row.id);
      if (earlier !== undefined) this.#drop(earlier);
      this.#take(row, lease)?.resume();
    }
  }

  /** Serves an instance from now on. Null when its network is not enabled. */
  #take(row: InstanceRow, lease: Lease | null): Session | null {
    const { store, vault, clock, log, feed, networks } = this.#options;
    const network = networks.get(row.network as NetworkName);
    if (network === undefined) {
      log.warn({ instance_id: row.id, network: row.network }, 'a number belongs to a network that is not enabled in NETWORKS');
      return null;
    }
    const onLost = () => this.#refused(session);
    const record = new NumberRecord(row, lease, { store, vault, clock, ownership: this.#ownership, onLost });
    const changed = () => this.#changed(session, publish);
    const session: Session = new Session(row, { ...this.#shared, network, record, changed });
    const publish = createStatePublisher(session, feed);
    this.#sessions.add(session);
    return session;
  }

  #changed(session: Session, publish: () => void): void {
    // A number that was given up and taken again has another session, and the earlier one may still be ending.
    const current = this.#sessions.get(session.id);
    if (current !== undefined && current !== session) return;
    this.states.note(session);
    publish();
    this.#returns.changed(session);
  }

  async #dropAll(): Promise<void> {
    const all = [...this.#sessions.values()];
    for (const session of all) this.#forget(session);
    await Promise.all(all.map((session) => this.#close(session)));
  }

  /** Those that were used last come last, and after them those that are being paired. */
  #inOrderOfUse(): readonly Session[] {
    const isPairing = ({ attempt }: Session) => attempt !== null && !attempt.exhausted;
    return [...this.#sessions.values()].sort((a, b) => Number(isPairing(a)) - Number(isPairing(b)) || a.usedAt - b.usedAt);
  }

  async #giveUp(given: readonly Session[]): Promise<readonly string[]> {
    for (const session of given) this.#forget(session);
    // While the numbers are still this server's own.
    await Promise.all([this.#history.flush(), ...given.map((session) => this.#close(session))]);
    return given.map(({ id }) => id);
  }

  /** The account's instance with this id, in any letter case; undefined when it has none. */
  find(accountId: string, instanceId: string): Session | undefined {
    const session = this.#sessions.get(instanceId) ?? this.#sessions.get(instanceId.toLowerCase());
    return session?.accountId === accountId ? session : undefined;
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** The account's sessions, oldest first. */
  ofAccount(accountId: string): readonly Session[] {
    return this.#sessions.ofAccount(accountId);
  }

  async rename(session: Session | UnservedNumber, label: string, actor: Actor): Promise<void> {
    if (session instanceof UnservedNumber) return session.rename(label, actor);
    const { store, clock } = this.#options;
    await renameInstance(store, session.id, label, { actor, now: clock.now() });
    session.renamed(label);
  }

  /** Sets the budget of new chats of an instance; null: none. Throws OperatorError when one of its numbers is out of bounds. */
  async setChatBudget(session: Session, budget: ChatBudget | null, actor: Actor): Promise<void> {
    const { store, clock } = this.#options;
    await setChatBudget(store, session.id, budget, { actor, now: clock.now() });
    await this.#chatBudgets.look();
  }

  /** Unlinks an instance and removes it with its credentials. */
  async remove(session: Session | UnservedNumber, actor: Actor): Promise<void> {
    if (session instanceof UnservedNumber) return session.remove(actor);
    const { store, clock, feed } = this.#options;
    await session.retire(() => deleteInstance(store, session, { actor, now: clock.now() }));
    this.#history.add(session, { event: 'deleted', actor });
    if (this.#forget(session)) feed.publish(session.accountId, { type: 'instance_removed', instanceId: session.id });
  }

  /** A write of this session came too late: the number is another server's. */
  #refused(session: Session): void {
    this.#options.events?.staleWriteRefused();
    this.#drop(session);
  }

  #drop(session: Session): void {
    if (!this.#forget(session)) return;
    const { log } = this.#options;
    log.warn({ instance_id: session.id }, 'another server now owns a number; it is disconnected here');
    this.#close(session).catch((error: unknown) => log.error({ err: error, instance_id: session.id }, 'a connection could not be closed'));
  }

  async #close(session: Session): Promise<void> {
    this.#closing.add(session);
    await session.stop().finally(() => this.#closing.delete(session));
  }

  /** False when the session was forgotten already. */
  #forget(session: Session): boolean {
    if (!this.#sessions.remove(session)) return false;
    this.#history.forget(session.id);
    return true;
  }
}
