import { type Clock, type Log, Periodic } from '../../core/index.ts';
import { type MessageEvent, type MessageNews, noMessageEvents } from '../../networks/index.ts';
import { type Store, sharedNow } from '../../store/index.ts';
import { accountsOf, type Happened, insertHappened, selectFollowers, wasSent } from './queries.ts';
import { Wishes } from './wishes.ts';

/** How often is looked for webhooks that the portal, the command line or another server has changed. */
const everyMs = 2_000;
/** So much is stored in one statement: each takes seven of the parameters that it may have. */
const mostAtOnce = 500;

interface MessageEventsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The time that all servers judge by; absent: the store's. */
  readonly now?: (() => Promise<number>) | undefined;
  readonly log: Pick<Log, 'error'>;
}

interface Told {
  readonly happened: Happened;
  readonly stored: PromiseWithResolvers<void>;
}

/** What becomes of messages, stored for the webhooks that are told of it. Accounts of which nobody wants to know cost nothing. */
export class MessageEvents {
  readonly #options: MessageEventsOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #told: Told[] = [];
  #wishes = new Wishes([], []);
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

  /** Whether somebody wants to be told of any messages. */
  get wantedAtAll(): boolean {
    return this.#wishes.any;
  }

  /** The events to be followed of an account's messages. */
  wanted(accountId: string): ReadonlySet<MessageEvent> {
    return this.#wishes.any ? this.#wishes.of(accountId) : noMessageEvents;
  }

  /** Has the listener called whenever `wanted` may have other answers. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Stores what became of messages of a number, together with what else is told at the moment. Resolves when it is stored. */
  async tell(of: { readonly accountId: string; readonly instanceId: string }, news: readonly MessageNews[]): Promise<void> {
    const now = this.#options.clock.now();
    const told = news.map((one) => ({
      happened: { ...one, ...of, at: one.at ?? now },
      stored: Promise.withResolvers<void>(),
    }));
    this.#told.push(...told);
    if (!this.#storing) void this.#store();
    await Promise.all(told.map(({ stored }) => stored.promise));
  }

  /** Reads who wants to be told of what. */
  async look(): Promise<void> {
    const { db } = this.#options.store;
    const followers = await selectFollowers(db);
    const providers = followers.flatMap(({ provider_id }) => provider_id ?? []);
    const before = this.#wishes;
    this.#wishes = new Wishes(followers, await accountsOf(db, providers));
    if (!this.#wishes.equal(before)) for (const listener of this.#listeners) listener();
  }

  /** One statement after the other, so that the events of a number stay in order. */
  async #store(): Promise<void> {
    this.#storing = true;
    while (this.#told.length > 0) {
      // What is told in one turn of the event loop is stored together.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = this.#told.splice(0, mostAtOnce);
      try {
        await this.#insert(batch.map(({ happened }) => happened));
        for (const { stored } of batch) stored.resolve();
      } catch (error) {
        for (const { stored } of batch) stored.reject(error);
      }
    }
    this.#storing = false;
  }

  async #insert(happened: readonly Happened[]): Promise<void> {
    const { store, clock } = this.#options;
    const now = await (this.#options.now?.() ?? sharedNow(store, clock));
    // A message that is lost because it is not kept any more leaves no other trace than in the request log.
    const known = await Promise.all(
      happened.map(async (one) => (one.event === 'lost' && !one.sentHere ? { ...one, sentHere: await wasSent(store.db, one) } : one)),
    );
    await insertHappened(store.db, known, now);
  }
}
