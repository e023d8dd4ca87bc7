import { type Clock, dayMs, type Log, Periodic, utcDay } from '../core/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Store } from '../store/index.ts';
import { countNumberDay } from '../usage/index.ts';
import type { Status } from './connection-state.ts';

/** How often the date is checked, because the clock may be changed at any moment. */
const lookEveryMs = 60_000;

interface ConnectedDaysOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly log: Pick<Log, 'error'>;
  sessions(): Iterable<{ readonly status: Status; readonly accountId: string; readonly phoneNumber: string | null }>;
}

export class ConnectedDays {
  readonly #options: ConnectedDaysOptions;
  readonly #looks: Periodic;
  /** The current UTC day and the numbers, with their accounts, that were connected on it. */
  #today: { readonly day: string; readonly seen: Set<string> };

  /** The day that all numbers were counted for; null: the date has changed since. */
  #looked: string | null;

  constructor(options: ConnectedDaysOptions) {
    this.#options = options;
    this.#looked = utcDay(options.clock.now());
    this.#today = { day: utcDay(options.clock.now()), seen: new Set() };
    const { clock, log } = options;
    const untilMidnight = () => dayMs - (clock.now() % dayMs);
    this.#looks = new Periodic({
      clock,
      everyMs: () => Math.min(untilMidnight(), lookEveryMs),
      work: () => this.#look(),
      log,
      failed: 'the connected numbers of a new day could not be counted',
    });
  }

  /** A number that stays connected over midnight counts for the new day too. */
  start(): void {
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  #look(): void {
    const { clock, sessions } = this.#options;
    const day = utcDay(clock.now());
    if (day === this.#looked) return;
    for (const { status, phoneNumber, accountId } of sessions()) {
      // Not awaited one by one, so that the store writes them all in one transaction.
      if (status === 'open' && phoneNumber !== null) void this.count(accountId, phoneNumber, day);
    }
    this.#looked = day;
  }

  /** Counts a number for a day, once. */
  async count(accountId: string, phoneNumber: string, day: string): Promise<void> {
    if (day !== this.#today.day) {
      this.#today = { day, seen: new Set() };
      // Numbers that connected earlier may have been counted for another day.
      this.#looked = null;
    }
    const number = `${accountId} ${phoneNumber}`;
    if (this.#today.seen.has(number)) return;
    this.#today.seen.add(number);
    await countNumberDay(this.#options.store, this.#options.outbox, { accountId, phoneNumber, day });
  }
}
