import { type Actor, countNumberDay } from '../accounts/index.ts';
import { type Clock, createSlots, OwnershipLost, systemClock, type Timer, utcDay, type Vault } from '../core/index.ts';
import type { Debts } from '../debts/index.ts';
import type { Network, NetworkName } from '../networks/index.ts';
import type { InstanceRow, Lease, Store } from '../store/index.ts';
import { createCredentialStore } from './credentials.ts';
import { changeInstance, deleteInstance, linkInstance, renameInstance } from './instance-changes.ts';
import { InstanceNews } from './instance-news.ts';
import type { SessionFeed } from './live-events.ts';
import { Ownership } from './ownership.ts';
import { readProxies, shownIfReadable } from './proxies.ts';
import { allInstances, isLinked } from './queries.ts';
import { Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';

/** How many numbers log in at once, so that a restart with many numbers does not overload the machine or the network. */
const simultaneousLogins = 20;
const dayMs = 24 * 60 * 60 * 1000;
/** How often the date is checked, because the clock may be changed at any moment. */
const lookEveryMs = 60_000;
/** How often to look for proxies that the command line has changed. */
const proxiesEveryMs = 1_000;

interface SessionsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<NetworkName, Network>;
  readonly log: SessionOptions['log'];
  readonly random: () => number;
  readonly feed: SessionFeed;
  readonly debts: Debts;
  /** Called once when another server has taken over every number. */
  onOwnershipLost(): void;
}

/** The sessions of all instances of this process. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  /** By account, oldest first, because lists are requested often and change rarely. */
  readonly #accounts = new Map<string, Session[]>();
  /** null: the store has one server only, which owns every number. */
  readonly #ownership: Ownership | null;
  readonly #logins = createSlots(simultaneousLogins, simultaneousLogins);
  #dayTimer: Timer | null = null;
  #proxyTimer: Timer | null = null;
  /** By instance. */
  #proxies: ReadonlyMap<string, string> = new Map();
  /** The current UTC day and the numbers, with their accounts, that were connected on it. */
  #today: { readonly day: string; readonly seen: Set<string> };

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { store, log, onOwnershipLost: onLost } = options;
    this.#ownership = store.leases === null ? null : new Ownership({ leases: store.leases, log, onLost });
    this.#today = { day: utcDay(options.clock.now()), seen: new Set() };
  }

  /** Loads every instance and starts connecting the linked ones. */
  async start(): Promise<void> {
    const { store, vault } = this.#options;
    this.#proxies = await readProxies(store, vault);
    const owned = (await this.#ownership?.start()) ?? (await allInstances(store.db)).map((row) => ({ row, lease: null }));
    for (const { row, lease } of owned) this.#take(row, lease)?.session.resume();
    this.#awaitNextDay();
    this.#followProxies();
  }

  /** Closes every connection; linked numbers stay linked. */
  async stop(): Promise<void> {
    this.#dayTimer?.cancel();
    this.#proxyTimer?.cancel();
    this.#proxyTimer = null;
    await Promise.all([...this.#sessions.values()].map((session) => session.stop()));
    await this.#ownership?.stop();
  }

  /** Adds a new instance. Null when its network is not enabled; its row then stays as it is. Throws OwnershipLost when another server took it. */
  async add(row: InstanceRow): Promise<Session | null> {
    const lease = (await this.#ownership?.take(row.id)) ?? null;
    if (this.#ownership !== null && lease === null) throw new OwnershipLost();
    const taken = this.#take(row, lease);
    taken?.news.created();
    return taken?.session ?? null;
  }

  #take(row: InstanceRow, lease: Lease | null): { readonly session: Session; readonly news: InstanceNews } | null {
    const { store, vault, clock, log, random, feed } = this.#options;
    const network = this.#options.networks.get(row.network as NetworkName);
    if (network === undefined) {
      log.warn({ instance_id: row.id, network: row.network }, 'an instance belongs to a network that is not enabled in NETWORKS');
      return null;
    }
    const owned = { id: row.id, lease };
    const orLose = this.#dropsWhatIsLost(() => session);
    const session: Session = new Session(row, {
      network,
      lease,
      credentials: createCredentialStore({ store, vault, clock }, owned, { disconnection: () => session.disconnection, orLose }),
      clock,
      random,
      log,
      logins: this.#logins,
      proxy: () => this.#proxies.get(row.id) ?? null,
      linkedElsewhere: (phoneNumber) =>
        this.ofAccount(row.account_id).some((other) => other !== session && other.linked && other.phoneNumber === phoneNumber),
      hasCredentials: () => isLinked(store.db, row.id),
      keep: (change) => orLose(changeInstance(store, owned, change)),
      keepLinked: (change, actor) =>
        orLose(linkInstance(store, { ...owned, accountId: row.account_id }, change, { actor, now: clock.now() })),
      changed: () => news.changed(),
      pairing: (step) => news.pairing(step),
      seenConnected: (phoneNumber, day) => this.#seen(row.account_id, phoneNumber, day),
    });
    const news = new InstanceNews(session, feed);
    this.#sessions.set(row.id, session);
    const ofAccount = this.#accounts.get(row.account_id);
    if (ofAccount === undefined) this.#accounts.set(row.account_id, [session]);
    else insertByAge(ofAccount, session);
    return { session, news };
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
    return this.#accounts.get(accountId) ?? [];
  }

  /** Changes the label of an instance. */
  async rename(session: Session, label: string, actor: Actor): Promise<void> {
    const { store, clock } = this.#options;
    await renameInstance(store, session.id, label, { actor, now: clock.now() });
    session.renamed(label);
  }

  /** Unlinks an instance and removes it with its credentials. */
  async remove(session: Session, actor: Actor): Promise<void> {
    const { store, clock, feed } = this.#options;
    await session.retire(() => deleteInstance(store, session, { actor, now: clock.now() }));
    if (this.#forget(session)) feed.publish(session.accountId, { type: 'instance_removed', instanceId: session.id });
  }

  /** Makes what closes the link of a session, and forgets it, as soon as one of its writes says that another server owns the number. */
  #dropsWhatIsLost(sessionOf: () => Session): <T>(write: Promise<T>) => Promise<T> {
    return async (write) => {
      try {
        return await write;
      } catch (error) {
        if (error instanceof OwnershipLost) this.#drop(sessionOf());
        throw error;
      }
    };
  }

  #drop(session: Session): void {
    if (!this.#forget(session)) return;
    const { log } = this.#options;
    log.warn({ instance_id: session.id }, 'another server owns a number now, which is closed here');
    session.stop().catch((error: unknown) => log.error({ err: error, instance_id: session.id }, 'a link could not be closed'));
  }

  /** False when the session was forgotten already. */
  #forget(session: Session): boolean {
    if (this.#sessions.get(session.id) !== session) return false;
    this.#sessions.delete(session.id);
    const others = this.ofAccount(session.accountId).filter((other) => other !== session);
    if (others.length > 0) this.#accounts.set(session.accountId, others);
    else this.#accounts.delete(session.accountId);
    return true;
  }

  /** The command line changes proxies while the server runs, so the server checks them every second. */
  #followProxies(): void {
    const { log } = this.#options;
    this.#proxyTimer = systemClock.after(proxiesEveryMs, () => {
      this.#takeProxies()
        .catch((error: unknown) => log.error({ err: error }, 'the proxies of numbers could not be read'))
        .finally(() => {
          if (this.#proxyTimer !== null) this.#followProxies();
        });
    });
  }

  async #takeProxies(): Promise<void> {
    const { store, vault, log } = this.#options;
    const before = this.#proxies;
    const now = await readProxies(store, vault);
    this.#proxies = now;
    for (const id of new Set([...before.keys(), ...now.keys()])) {
      if (before.get(id) === now.get(id)) continue;
      const proxy = now.get(id);
      log.info(
        { instance_id: id, proxy: proxy === undefined ? null : shownIfReadable(proxy) },
        'a number connects anew, because its proxy was changed',
      );
      await this.#sessions.get(id)?.reopen();
    }
  }

  /** A number that stays connected over midnight counts for the new day too. */
  #awaitNextDay(): void {
    const { clock } = this.#options;
    const untilMidnight = dayMs - (clock.now() % dayMs);
    this.#dayTimer = clock.after(Math.min(untilMidnight, lookEveryMs), () => {
      this.#awaitNextDay();
      const day = utcDay(clock.now());
      if (day === this.#today.day) return;
      for (const { status, phoneNumber, accountId } of this.#sessions.values()) {
        // Not awaited one by one, so that the store writes them all in one transaction.
        if (status === 'open' && phoneNumber !== null) void this.#seen(accountId, phoneNumber, day);
      }
    });
  }

  /** Counts a number for a day, once. */
  async #seen(accountId: string, phoneNumber: string, day: string): Promise<void> {
    if (day !== this.#today.day) this.#today = { day, seen: new Set() };
    const number = `${accountId} ${phoneNumber}`;
    if (this.#today.seen.has(number)) return;
    this.#today.seen.add(number);
    await countNumberDay(this.#options.store, this.#options.debts, { accountId, phoneNumber, day });
  }
}

/** Inserts by age: instances created at the same time are added in the order in which their transactions end. */
function insertByAge(sessions: Session[], session: Session): void {
  const isYounger = (other: Session) =>
    other.createdAt > session.createdAt || (other.createdAt === session.createdAt && other.id > session.id);
  let place = sessions.length;
  for (let before = sessions[place - 1]; before !== undefined && isYounger(before); before = sessions[place - 1]) place--;
  sessions.splice(place, 0, session);
}
