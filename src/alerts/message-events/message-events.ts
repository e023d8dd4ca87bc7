import { setImmediate } from 'node:timers/promises';
import { type Clock, type Log, Periodic } from '../../core/index.ts';
import { type MessageEvent, type MessageNews, messageEvents, noMessageEvents } from '../../networks/index.ts';
import { type Store, sharedNow } from '../../store/index.ts';
import { eventsIn } from '../conditions/conditions.ts';
import { accountsOfProviders, type Follower, insertEvents, type NewEvent, selectFollowers, wasSent } from './queries.ts';

/** How often webhooks are read that the portal, the command line or another server has changed. */
const everyMs = 2_000;
/** So many events are stored in one statement: each takes seven of the parameters that it may have. */
const mostAtOnce = 500;

interface MessageEventsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The time that all servers judge by; absent: the store's. */
  readonly now?: (() => Promise<number>) | undefined;
  readonly log: Pick<Log, 'error'>;
}

interface Waiting {
  readonly event: NewEvent;
  readonly stored: PromiseWithResolvers<void>;
}

/** What becomes of messages, stored for the webhooks that want it. Accounts of which nobody wants events cost nothing. */
export class MessageEvents {
  readonly #options: MessageEventsOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #waiting: Waiting[] = [];
  #subscriptions = new Subscriptions([], []);
  readonly #looks: Periodic;
  #storing = false;

  constructor(options: MessageEventsOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.#looks = new Periodic({ clock, everyMs, work: () => this.look(), log, failed: 'the webhooks for messages could not be read' });
  }

  async start(): Promise<void> {
    await this.look();
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Whether somebody wants any events. */
  get anyWanted(): boolean {
    return this.#subscriptions.any;
  }

  /** The events to be followed of an account's messages. */
  wanted(accountId: string): ReadonlySet<MessageEvent> {
    return this.#subscriptions.any ? this.#subscriptions.of(accountId) : noMessageEvents;
  }

  /** Has the listener called whenever `wanted` may have other answers. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Stores what became of messages of a number, together with what else is reported at the moment. Resolves when it is stored. */
  async report(of: { readonly accountId: string; readonly instanceId: string }, news: readonly MessageNews[]): Promise<void> {
    const now = this.#options.clock.now();
    const waiting = news.map((one) => ({ event: { ...one, ...of, at: one.at ?? now }, stored: Promise.withResolvers<void>() }));
    this.#waiting.push(...waiting);
    if (!this.#storing) void this.#store();
    await Promise.all(waiting.map(({ stored }) => stored.promise));
  }

  /** Reads who wants which events. */
  async look(): Promise<void> {
    const { db } = this.#options.store;
    const followers = await selectFollowers(db);
    const providers = followers.flatMap(({ provider_id }) => provider_id ?? []);
    const before = this.#subscriptions;
    this.#subscriptions = new Subscriptions(followers, await accountsOfProviders(db, providers));
    if (!this.#subscriptions.equal(before)) for (const listener of this.#listeners) listener();
  }

  /** One statement after the other, so that the events of a number stay in order. */
  async #store(): Promise<void> {
    this.#storing = true;
    while (this.#waiting.length > 0) {
      // What is reported in one turn of the event loop is stored together.
      await setImmediate();
      const batch = this.#waiting.splice(0, mostAtOnce);
      try {
        await this.#insert(batch.map(({ event }) => event));
        for (const { stored } of batch) stored.resolve();
      } catch (error) {
        for (const { stored } of batch) stored.reject(error);
      }
    }
    this.#storing = false;
  }

  async #insert(events: readonly NewEvent[]): Promise<void> {
    const { store, clock } = this.#options;
    const now = await (this.#options.now?.() ?? sharedNow(store, clock));
    // A message that is lost because it is not kept any more has left no trace but in the request log.
    const known = await Promise.all(
      events.map(async (one) => (one.event === 'lost' && !one.sentHere ? { ...one, sentHere: await wasSent(store.db, one) } : one)),
    );
    await insertEvents(store.db, known, now);
  }
}

/** Which events somebody wants of which accounts' messages. */
class Subscriptions {
  readonly #ofAll: ReadonlySet<MessageEvent>;
  readonly #accounts: ReadonlyMap<string, ReadonlySet<MessageEvent>>;
  readonly #text: string;

  /** `accounts`: those of the providers that followers are of. */
  constructor(followers: readonly Follower[], accounts: readonly { readonly id: string; readonly provider_id: string }[]) {
    const ofAll = followers.filter(({ account_id, provider_id }) => account_id === null && provider_id === null);
    const byProvider = Map.groupBy(followers, ({ provider_id }) => provider_id);
    const ofAccounts = [
      ...followers.flatMap(({ account_id, events }) => (account_id === null ? [] : [{ accountId: account_id, events }])),
      ...accounts.flatMap(({ id, provider_id }) => (byProvider.get(provider_id) ?? []).map(({ events }) => ({ accountId: id, events }))),
    ];
    this.#ofAll = followed(ofAll.map(({ events }) => events));
    this.#accounts = new Map(
      [...Map.groupBy(ofAccounts, ({ accountId }) => accountId)].map(([id, some]) => [
        id,
        followed([...ofAll, ...some].map(({ events }) => events)),
      ]),
    );
    this.#text = JSON.stringify([[...this.#ofAll], [...this.#accounts].map(([id, events]) => [id, [...events]]).sort()]);
  }

  get any(): boolean {
    return this.#ofAll.size > 0 || this.#accounts.size > 0;
  }

  of(accountId: string): ReadonlySet<MessageEvent> {
    return this.#accounts.get(accountId) ?? this.#ofAll;
  }

  equal(other: Subscriptions): boolean {
    return this.#text === other.#text;
  }
}

/** What must be followed for stored lists of events. Following `read` needs `delivered`, which shows that the message was sent here. */
function followed(lists: readonly string[]): ReadonlySet<MessageEvent> {
  const wanted = new Set(lists.flatMap(eventsIn));
  const all = wanted.has('read') ? wanted.add('delivered') : wanted;
  return all.size === 0 ? noMessageEvents : new Set(messageEvents.filter((event) => all.has(event)));
}
