import type { SimulatedDatabase } from './database.ts';
import type { SimulatedNetwork } from './network.ts';
import { dayMs, epoch } from './plan.ts';
import { heartbeatMs, type Schedule } from './schedule.ts';

/** Without a change for so long, nothing is left that a process does by itself and soon. */
const settledMs = 10_000;
/** A number that is connected for so long of a day has been counted for it: the date is looked at every minute. */
const countedAfterMs = 120_000;

/** A timer for midnight that is set shortly before it looks like a heartbeat, also where the calendar is a second ahead. */
const beforeMidnightMs = heartbeatMs + 1_000;

interface Options {
  readonly schedule: Schedule;
  readonly database: SimulatedDatabase;
  readonly network: SimulatedNetwork;
  /** Whether all processes run, reach everything, and have nothing to do. */
  readonly isIdle: () => boolean;
}

/**
 * Skips the hours in which nothing would happen but heartbeats: renewed leases, looks at what has not changed. Whatever else a process waits for,
 * such as midnight, comes at its time.
 */
export class QuietHours {
  readonly #options: Options;
  #changes = -1;
  #since = 0;
  #idle = false;
  /** The days of the calendar (in days since 1970) that all numbers were connected for long enough to count for. */
  readonly connectedDays = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Something happens that is not from within. */
  disturb(): void {
    this.#since = this.#options.schedule.now;
    this.#idle = false;
  }

  /** To be called after every step. */
  look(): void {
    const { schedule, database, network, isIdle } = this.#options;
    const changes = database.changes + network.changes;
    if (changes !== this.#changes) {
      this.#changes = changes;
      this.disturb();
    } else if (schedule.now - this.#since >= settledMs) {
      this.#idle ||= isIdle();
      if (this.#idle) this.#skip();
    }
  }

  #skip(): void {
    const { schedule } = this.#options;
    const untilMidnight = dayMs - ((epoch + schedule.now) % dayMs);
    if (!schedule.skip(schedule.now + untilMidnight - beforeMidnightMs)) return;
    const [since, now] = [epoch + this.#since, epoch + schedule.now];
    const today = Math.floor(now / dayMs);
    if (now - Math.max(since, today * dayMs) > countedAfterMs) this.connectedDays.add(today);
  }
}
