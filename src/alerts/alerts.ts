import { type Clock, Mutex, Periodic } from '../core/index.ts';
import { sharedNow } from '../store/index.ts';
import type { DeliverOptions } from './deliveries/deliver.ts';
import { Dispatch } from './deliveries/dispatch.ts';
import { gatherNotices } from './gather.ts';
import { logFailure } from './log-failure.ts';
import { lookAtConditions } from './look.ts';
import type { Measuring } from './machine/measuring.ts';
import { dropOverflow, gatherMessages } from './message-events/gather.ts';
import type { MessageEvents } from './message-events/message-events.ts';
import { anyTarget } from './target-queries.ts';
import { removeUnconfirmed } from './targets.ts';

/** How often is looked for what began and ended, and for what is to be sent. */
const everyMs = 5_000;
/** How often is looked for what became of messages, while somebody wants to be told. */
const messagesEveryMs = 1_000;
/** How often is looked whether too much waits to be told. */
const overflowEveryMs = 60_000;

interface AlertsOptions extends Omit<DeliverOptions, 'now'> {
  readonly clock: Clock;
  /** The time that all servers judge by; absent: the store's. */
  readonly now?: (() => Promise<number>) | undefined;
  /** null: nothing of the machine is measured. */
  readonly measuring: Measuring | null;
  /** Absent: nobody is told of messages. */
  readonly messages?: Pick<MessageEvents, 'wantedAtAll'>;
}

/**
 * Tells people of what is wrong, and programs of what became of messages. Every few seconds: what began or ended is written down, what is to be told
 * is gathered into deliveries, and those that are due begin to be sent, which nothing here waits for. Each step is in the store before the next one,
 * so that a process that ends loses nothing; any server may do each.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #now: () => Promise<number>;
  readonly #stopping = new AbortController();
  readonly #rounds: readonly Periodic[];
  readonly #dispatch: Dispatch;
  readonly #mutex = new Mutex();
  /** The turn that has not begun yet. */
  #next: Promise<void> | null = null;
  #overflowAt = Number.NEGATIVE_INFINITY;

  constructor(options: AlertsOptions) {
    this.#options = options;
    const { store, clock, log } = options;
    const failed = 'alerts could not be processed';
    this.#now = options.now ?? (() => sharedNow(store, clock));
    this.#dispatch = new Dispatch(
      { ...options, now: this.#now },
      this.#stopping.signal,
      () => void this.#send().catch((error: unknown) => logFailure(log, error)),
    );
    this.#rounds = [
      new Periodic({ clock, log, failed, everyMs, work: () => this.round() }),
      new Periodic({ clock, log, failed, everyMs: messagesEveryMs, work: () => this.messageRound() }),
    ];
  }

  start(): void {
    for (const rounds of this.#rounds) rounds.start();
  }

  /** Cuts off what is being sent; the next process sends it again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#rounds.map((rounds) => rounds.stop()));
    await this.sent();
    // A row that stays is forgotten by its age; a store that is away must not make the stop an unclean one.
    await this.#options.measuring?.leave().catch(() => undefined);
  }

  /** What is done every few seconds, once; nothing where nobody is told. */
  async round(): Promise<void> {
    const { store, languages } = this.#options;
    if (!(await anyTarget(store.db))) return;
    await removeUnconfirmed(store, await this.#now());
    await this.#options.measuring?.round(await this.#now());
    await lookAtConditions(store, await this.#now(), everyMs);
    await gatherNotices(store, await this.#now(), languages('en').t);
    await this.#send();
  }

  /** What is done every second for those who are told of messages, once; nothing where nobody is. */
  async messageRound(): Promise<void> {
    const { store, log, messages } = this.#options;
    if (messages?.wantedAtAll !== true) return;
    const now = await this.#now();
    // A time that is to come was before the clock was set back.
    if (now - this.#overflowAt >= overflowEveryMs || now < this.#overflowAt) {
      this.#overflowAt = now;
      await dropOverflow({ store, now, log });
    }
    await this.#send();
  }

  /** Resolves when nothing is being sent. */
  async sent(): Promise<void> {
    // What ends has the next begin.
    do {
      await Promise.all(this.#dispatch.running);
      await this.#mutex.ended();
    } while (this.#dispatch.running.length > 0);
  }

  /** Begins to send what is due, and what became of messages meanwhile. One at a time; a call while one waits for its turn is that one. */
  #send(): Promise<void> {
    this.#next ??= this.#mutex.take(async () => {
      this.#next = null;
      const { store, log, messages } = this.#options;
      await this.#dispatch.start();
      if (messages?.wantedAtAll !== true) return;
      while (!this.#stopping.signal.aborted && (await gatherMessages({ store, now: await this.#now(), log }))) await this.#dispatch.start();
    });
    return this.#next;
  }
}
