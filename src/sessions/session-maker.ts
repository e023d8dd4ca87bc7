import { type Clock, OwnershipLost, Semaphore, type Vault } from '../core/index.ts';
import { type MessageEvent, type MessageNews, type Network, type NetworkName, noMessageEvents } from '../networks/index.ts';
import type { InstanceRow, Lease, Store } from '../store/index.ts';
import type { ChatBudgets } from './chat-budget/chat-budgets.ts';
import type { ConnectedDays } from './connected-days.ts';
import { createCredentialStore } from './credentials.ts';
import type { FollowedProxies } from './followed-proxies.ts';
import type { NumberHistory } from './history/number-history.ts';
import { changeInstance, linkInstance } from './instance-changes.ts';
import { InstanceNews } from './instance-news.ts';
import type { SessionFeed } from './live-events.ts';
import type { Outages } from './outage.ts';
import type { OwnSessions } from './own-sessions.ts';
import { isLinked } from './queries.ts';
import type { ReturnWatch } from './return-watch.ts';
import { Session } from './session.ts';
import type { SessionEvents } from './session-events.ts';
import type { SessionOptions } from './session-options.ts';
import type { States } from './states.ts';

/** How many numbers log in at once, so that a restart with many numbers does not overload the machine or the network. */
const simultaneousLogins = 20;

/** Those who want to be told what becomes of messages. */
export interface MessageFollowers {
  /** The events that somebody wants to be told of the account's messages. */
  wanted(accountId: string): ReadonlySet<MessageEvent>;
  /** Has the listener called whenever `wanted` has other answers. */
  onChange(listener: () => void): void;
  /** Resolves when it is stored. */
  report(of: { readonly accountId: string; readonly instanceId: string }, news: readonly MessageNews[]): Promise<void>;
}

/** What every session works with. */
export interface CommonOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<NetworkName, Network>;
  readonly log: SessionOptions['log'];
  readonly random: () => number;
  readonly feed: SessionFeed;
  /** null: nobody counts. */
  readonly events?: SessionEvents | null;
  /** null: nobody wants to know. */
  readonly followers?: MessageFollowers | null;
}

/** What the sessions of a process share and report to. */
interface SharedParts {
  readonly own: OwnSessions;
  readonly states: States;
  readonly proxies: FollowedProxies;
  readonly chatBudgets: ChatBudgets;
  readonly history: NumberHistory;
  readonly outages: Outages;
  readonly returns: ReturnWatch;
  readonly days: ConnectedDays;
  /** A write of this session came too late: the number is another server's. */
  refused(session: Session): void;
  readonly holdsLeases: () => boolean;
}

/** Makes the sessions of a process, each with what it shares with the others. */
export class SessionMaker {
  readonly #common: CommonOptions;
  readonly #shared: SharedParts;
  readonly #logins = new Semaphore(simultaneousLogins, simultaneousLogins);

  constructor(common: CommonOptions, shared: SharedParts) {
    this.#common = common;
    this.#shared = shared;
  }

  /** The session of an instance, and what publishes its changes. Null when its network is not enabled. */
  make(row: InstanceRow, lease: Lease | null): { readonly session: Session; readonly news: InstanceNews } | null {
    const { store, vault, clock, log, random, feed, events, followers } = this.#common;
    const { own, states, proxies, chatBudgets, history, outages, returns, days, refused, holdsLeases } = this.#shared;
    const network = this.#common.networks.get(row.network as NetworkName);
    if (network === undefined) {
      log.warn({ instance_id: row.id, network: row.network }, 'a number belongs to a network that is not enabled in NETWORKS');
      return null;
    }
    const owned = { id: row.id, lease };
    const orLose = <T>(write: Promise<T>) =>
      write.catch((error: unknown) => {
        if (error instanceof OwnershipLost) refused(session);
        throw error;
      });
    // The reader of the log wants to know whose number it is.
    const about = (fields: object) => ({ ...fields, account_id: row.account_id, label: session.label });
    const session: Session = new Session(row, {
      network,
      lease,
      holdsLeases,
      credentials: createCredentialStore({ store, vault, clock }, owned, { disconnection: () => session.disconnection, orLose }),
      clock,
      random,
      log: {
        info: (fields, message) => log.info(about(fields), message),
        warn: (fields, message) => log.warn(about(fields), message),
        error: (fields, message) => log.error(about(fields), message),
      },
      logins: this.#logins,
      proxy: () => proxies.of(row.id),
      wantedEvents: () => followers?.wanted(row.account_id) ?? noMessageEvents,
      tellOfMessages: async (news) => followers?.report({ accountId: row.account_id, instanceId: row.id }, news),
      chatBudgets,
      linkedElsewhere: (phoneNumber) =>
        own.ofAccount(row.account_id).some((other) => other !== session && other.linked && other.phoneNumber === phoneNumber),
      linkedOnOtherNode: (phoneNumber) => states.linkedOnOtherNode(row, phoneNumber),
      hasCredentials: () => isLinked(store.db, row.id),
      keep: (change) => orLose(changeInstance(store, owned, change)),
      keepLinked: (change, actor) =>
        orLose(linkInstance(store, { ...owned, accountId: row.account_id }, change, { actor, now: clock.now() })),
      changed: () => {
        // A number that was given up and taken again has another session, and the earlier one may still be ending.
        const current = own.get(row.id);
        if (current !== undefined && current !== session) return;
        states.note(session);
        news.changed();
        returns.changed(session);
      },
      pairing: (step) => news.pairing(step),
      happened: (event) => {
        if (event.event === 'back') outages.end(session);
        history.tell(session, event);
      },
      linkEnded: (reason) => events?.linkEnded(row.network, reason),
      ownedElsewhere: () => refused(session),
      seenConnected: (phoneNumber, day) => days.count(row.account_id, phoneNumber, day),
    });
    const news = new InstanceNews(session, feed);
    return { session, news };
  }
}
