import { type Clock, Mutex, Periodic } from '../core/index.ts';
import { sharedNow } from '../store/index.ts';
import type { Measuring } from './conditions/measuring.ts';
import { updateAlerts } from './conditions/update-alerts.ts';
import type { DeliverOptions } from './deliveries/deliver.ts';
import { Dispatch, logFailure } from './deliveries/dispatch.ts';
import { dropOverflow, gatherMessages, gatherNotices } from './gather.ts';
import type { MessageEvents } from './message-events/message-events.ts';
import { anyTarget } from './targets/queries.ts';
import { removeUnconfirmed } from './targets/targets.ts';

/** How often alerts are updated, and deliveries that are due are sent. */
const everyMs = 5_000;
/** How often message events are sent, while somebody wants any. */
const messagesEveryMs = 1_000;
/** How often events are dropped of which too many wait. */
const overflowEveryMs = 60_000;

interface AlertsOptions extends Omit<DeliverOptions, 'now'> {
  readonly clock: Clock;
  /** The time that all servers judge by; absent: the store's. */
  readonly now?: (() => Promise<number>) | undefined;
  /** null: nothing of the machine is measured. */
  readonly measuring: Measuring | null;
  /** Absent: there are no message events. */
  readonly messages?: Pick<MessageEvents, 'anyWanted'>;
}

/**
 * Notifies people of what is wrong, and programs of what became of messages. Every few seconds it stores what began or ended, gathers notices into
 * deliveries, and begins to send those that are due, without waiting for them. Each step is in the store before the next one, so that nothing is
 * lost when a process ends; any server may do each.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #now: () => Promise<number>;
  readonly #stopping = new AbortController();
  readonly #rounds: readonly Periodic[];
  readonly #dispatch: Dispatch;
  readonly #mutex = new Mutex();
  /** The `#send` that has not begun yet. */
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
    // Before what is being sent, which may outlast the time of this step. A row that stays is deleted when it is old; a store that is away must
    // not make the stop an unclean one.
    await this.#options.measuring?.leave().catch(() => undefined);
    await this.sent();
  }

  /** One round of alerts; it does nothing as long as there is no target. */
  async round(): Promise<void> {
    const { store, languages, measuring } = this.#options;
    if (!(await anyTarget(store.db))) {
      await measuring?.pause();
      return;
    }
    await removeUnconfirmed(store, await this.#now());
    await measuring?.round(await this.#now());
    await updateAlerts(store, await this.#now(), everyMs);
    await gatherNotices(store, await this.#now(), languages('en').t);
    await this.#send();
  }

  /** One round of message events; it does nothing as long as nobody wants any. */
  async messageRound(): Promise<void> {
    const { store, log, messages } = this.#options;
    if (messages?.anyWanted !== true) return;
    const now = await this.#now();
    // The clock was set back if the last time lies ahead.
    if (now - this.#overflowAt >= overflowEveryMs || now < this.#overflowAt) {
      this.#overflowAt = now;
      await dropOverflow({ store, now, log });
    }
    await this.#send();
  }

  /** Resolves when nothing is being sent. */
  async sent(): Promise<void> {
    // The end of one begins the next.
    do {
      await Promise.all(this.#dispatch.running);
      await this.#mutex.ended();
    } while (this.#dispatch.running.length > 0);
  }

  /** Begins to send what is due, and the message events that came meanwhile. One call at a time; a call while another waits joins that one. */
  #send(): Promise<void> {
    this.#next ??= this.#mutex.take(async () => {
      this.#next = null;
      const { store, log, messages } = this.#options;
      await this.#dispatch.start();
      if (messages?.anyWanted !== true) return;
      while (!this.#stopping.signal.aborted && (await gatherMessages({ store, now: await this.#now(), log }))) await this.#dispatch.start();
    });
    return this.#next;
  }
}
