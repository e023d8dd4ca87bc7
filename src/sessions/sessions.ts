import type { Actor } from '../accounts/index.ts';
import type { Peers } from '../coordination/index.ts';
import { type Clock, type OperatorError, OwnershipLost, systemClock } from '../core/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Agreement, InstanceRow, Lease, Leased } from '../store/index.ts';
import type { ChatBudget } from './chat-budget/budget.ts';
import { ChatBudgets } from './chat-budget/chat-budgets.ts';
import { setChatBudget } from './chat-budget/set-budget.ts';
import { ConnectedDays } from './connected-days.ts';
import { FollowedProxies } from './followed-proxies.ts';
import { NumberHistory } from './history/number-history.ts';
import { deleteInstance, renameInstance } from './instance-changes.ts';
import { publishStored } from './instance-news.ts';
import { Outages } from './outage.ts';
import { OwnSessions } from './own-sessions.ts';
import { Ownership } from './ownership.ts';
import { readProxies } from './proxies.ts';
import { allInstances, oneInstance } from './queries.ts';
import { ReturnWatch } from './return-watch.ts';
import type { Session } from './session.ts';
import { type CommonOptions, SessionMaker } from './session-maker.ts';
import { States } from './states.ts';

/** What the sessions of one of several nodes tell the others. */
export interface ClusterSide {
  readonly peers: Peers;
  /** Where the other nodes reach this one. */
  address(): string;
  /** This node has this id from now on, and no longer an earlier one. */
  joined(nodeId: string): void;
  /** Rejects when this process must not be one of the nodes now. */
  mayJoin(): Promise<void>;
  /** There are numbers that nobody owns. */
  tellFree(): void;
  /** What the nodes' settings have to do with each other. */
  readonly agreement: Agreement;
}

interface SessionsOptions extends CommonOptions {
  /** Measures what the database's own clock measures too, and goes on when a test halts `clock`; the system's unless said. */
  readonly stopwatch?: Clock;
  readonly outbox: Outbox;
  /** null: no other server may share the store. */
  readonly cluster: ClusterSide | null;
  /** Called once when this process can own numbers no more: another has taken over the store, or the others' settings do not go with its own. */
  onOwnershipLost(error: OperatorError): void;
}

/** The sessions of the instances that this process owns: all there are, unless it is one of several nodes. */
export class Sessions {
  /** Of all numbers, on any node. */
  readonly states: States;
  readonly #options: SessionsOptions;
  readonly #sessions = new OwnSessions();
  /** No longer served, with links that are still closing: until those have closed, this node must keep their numbers. */
  readonly #closing = new Set<Session>();
  /** null: the store has one server only, which owns every number. */
  readonly #ownership: Ownership | null;
  readonly #maker: SessionMaker;
  readonly #days: ConnectedDays;
  readonly #proxies: FollowedProxies;
  readonly #chatBudgets: ChatBudgets;
  readonly #history: NumberHistory;
  readonly #returns: ReturnWatch;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { store, cluster, clock, stopwatch = systemClock, log, random, onOwnershipLost: onLost, events = null } = options;
    this.#days = new ConnectedDays({ ...options, sessions: () => this.#sessions.values() });
    this.#proxies = new FollowedProxies({
      ...{ stopwatch, log },
      read: () => readProxies(store, options.vault),
      changed: async (id) => this.#sessions.get(id)?.reopen(),
    });
    this.#chatBudgets = new ChatBudgets({ store, clock, stopwatch, log, changed: (id) => this.#sessions.get(id)?.budgetChanged() });
    this.#returns = new ReturnWatch(stopwatch, log);
    options.followers?.onChange(() => {
      for (const session of this.#sessions.values()) session.follow();
    });
    const stored = (numbers: readonly Pick<Session, 'id' | 'accountId'>[]) => publishStored(options.feed, numbers);
    this.#history = new NumberHistory({ store, clock, stopwatch, log, stored });
    this.states = new States(this.#sessions, { store, clock, stopwatch, log, peers: cluster?.peers ?? null, stored });
    this.#maker = new SessionMaker(options, {
      own: this.#sessions,
      states: this.states,
      proxies: this.#proxies,
      chatBudgets: this.#chatBudgets,
      history: this.#history,
      outages: new Outages(this.#sessions),
      returns: this.#returns,
      days: this.#days,
      refused: (session) => this.#refused(session),
      holdsLeases: () => this.#ownership?.holds ?? true,
    });
    const owned = {
      count: () => this.#sessions.size,
      has: (id: string) => this.#sessions.has(id),
      adopt: (leased: readonly Leased[]) => this.#adopt(leased),
      dropAll: () => this.#dropAll(),
      giveUp: (most: number) => this.#giveUp(most),
    };
    const onNode = (nodeId: string) => cluster?.joined(nodeId);
    const mayJoin = async () => cluster?.mayJoin();
    const tellFree = () => cluster?.tellFree();
    this.#ownership =
      store.leases === null
        ? null
        : new Ownership({
            leases: store.leases,
            alone: cluster === null,
            address: () => cluster?.address() ?? '',
            agreement: cluster?.agreement,
            networks: [...options.networks.keys()],
            owned,
            random,
            log,
            onLost,
            mayJoin,
            onNode,
            tellFree,
            events,
            clock: stopwatch,
          });
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
      for (const row of await allInstances(this.#options.store.db)) this.#take(row, null)?.session.resume();
    } else await this.#ownership.start();
    this.#days.start();
  }

  /** Has it logged when the linked numbers of this process are back. */
  watchReturn(): void {
    this.#returns.start(this.all());
  }

  /** Keeps the numbers it has and takes no others; to be called when this process is about to stop. */
  retire(): void {
    this.#ownership?.retire();
  }

  /** Closes every connection; linked numbers stay linked. */
  async stop(): Promise<void> {
    const looks = [this.#days.stop(), this.#proxies.stop(), this.#chatBudgets.stop()];
    this.#returns.stop();
    this.#ownership?.stop();
    const closed = await Promise.allSettled([...this.#sessions.values(), ...this.#closing].map((session) => session.stop()));
    await this.#history.stop();
    this.states.stop();
    // Numbers whose links may still be open are free for others only when this server's time is over.
    for (const outcome of closed) if (outcome.status === 'rejected') throw outcome.reason;
    await this.#ownership?.leave();
    await Promise.all(looks);
  }

  /**
   * Adds a new instance. Null when its network is not enabled; its row then stays as it is. Throws OwnershipLost, with the instance deleted, when
   * this node can own nothing at the moment.
   */
  async add(row: InstanceRow): Promise<Session | null> {
    const lease = (await this.#ownership?.takeNew(row.id)) ?? null;
    if (this.#ownership !== null && lease === null) {
      await deleteInstance(this.#options.store, { id: row.id, lease: null }, { actor: { kind: 'system' }, now: this.#options.clock.now() });
      throw new OwnershipLost();
    }
    const taken = this.#take(row, lease);
    taken?.news.created();
    return taken?.session ?? null;
  }

  /** Other nodes told of numbers that nobody owns. */
  thereAreFree(): void {
    this.#ownership?.thereAreFree();
  }

  /** Takes an instance of the account that nobody owns, to answer for it. False when another node was first. */
  async adopt(accountId: string, instanceId: string): Promise<boolean> {
    const ownership = this.#ownership;
    if (ownership === null) return this.#sessions.has(instanceId);
    return ownership.whileTaking(async () => {
      const lease = await ownership.take(instanceId);
      if (lease === null) return this.#sessions.has(instanceId);
      const row = await oneInstance(this.#options.store.db, accountId, instanceId);
      if (row !== undefined) this.#adopt([{ row, lease }]);
      return row !== undefined;
    });
  }

  #adopt(leased: readonly Leased[]): void {
    // The oldest log in first.
    const byAge = [...leased].sort((a, b) => a.row.created_at - b.row.created_at || (a.row.id < b.row.id ? -1 : 1));
    for (const { row, lease } of byAge) {
      const earlier = this.#sessions.get(row.id);
      if (earlier !== undefined) this.#drop(earlier);
      this.#take(row, lease)?.session.resume();
    }
  }

  async #dropAll(): Promise<void> {
    const all = [...this.#sessions.values()];
    for (const session of all) this.#forget(session);
    await Promise.all(all.map((session) => this.#close(session)));
  }

  /** Numbers that are being paired stay, as long as there are others. */
  async #giveUp(most: number): Promise<readonly string[]> {
    const isPairing = ({ attempt }: Session) => attempt !== null && !attempt.exhausted;
    const order = [...this.#sessions.values()].sort((a, b) => Number(isPairing(a)) - Number(isPairing(b)) || a.usedAt - b.usedAt);
    const given = order.slice(0, most);
    for (const session of given) this.#forget(session);
    // While the numbers are still this node's own.
    await Promise.all([this.#history.flush(), ...given.map((session) => this.#close(session))]);
    return given.map(({ id }) => id);
  }

  #take(row: InstanceRow, lease: Lease | null): ReturnType<SessionMaker['make']> {
    const made = this.#maker.make(row, lease);
    if (made !== null) this.#sessions.add(made.session);
    return made;
  }

  /** The account's instance with this id, in any letter case; undefined when it has none. */
  find(accountId: string, instanceId: string): Session | undefined {
    const session = this.#sessions.get(instanceId) ?? this.#sessions.get(instanceId.toLowerCase());
    return session?.accountId === accountId ? session : undefined;
  }

  /** All sessions, in no particular order. */
  all(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** The account's sessions, oldest first. */
  ofAccount(accountId: string): readonly Session[] {
    return this.#sessions.ofAccount(accountId);
  }

  /** Changes the label of an instance. */
  async rename(session: Session, label: string, actor: Actor): Promise<void> {
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
  async remove(session: Session, actor: Actor): Promise<void> {
    const { store, clock, feed } = this.#options;
    await session.retire(() => deleteInstance(store, session, { actor, now: clock.now() }));
    this.#history.tell(session, { event: 'deleted', actor });
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
    log.warn({ instance_id: session.id }, 'another server now owns a number; its link is closed here');
    this.#close(session).catch((error: unknown) => log.error({ err: error, instance_id: session.id }, 'a link could not be closed'));
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
