import { type Clock, type Log, OperatorError, Periodic } from '../core/index.ts';
import type { Store } from './store.ts';

/** A clock that is further off than this is wrong (decisions §3). */
export const toleratedClockMs = 30_000;
/** A server whose clock is further off than this does not join others. */
const joinsWithinMs = 5 * 60_000;
const lookEveryMs = 60_000;

type Wall = Pick<Clock, 'now'>;

/** By how many milliseconds this machine's clock is ahead of the store's (negative: behind); null where the store has none of its own. */
export async function clockDifference({ now }: Pick<Store, 'now'>, wall: Wall): Promise<number | null> {
  if (now === null) return null;
  const before = wall.now();
  const theirs = await now();
  return Math.round((before + wall.now()) / 2 - theirs);
}

/** Throws OperatorError when this machine's clock is too far from the store's for a server among others. */
export async function requireRightClock(store: Pick<Store, 'now'>, wall: Wall): Promise<void> {
  const difference = await clockDifference(store, wall);
  if (difference === null || Math.abs(difference) <= joinsWithinMs) return;
  throw new OperatorError(
    `the clock of this machine is ${described(difference)} PostgreSQL's; a server more than ${joinsWithinMs / 60_000} minutes off does not join the others: synchronise both by NTP`,
  );
}

interface WatchOptions {
  readonly store: Pick<Store, 'now'>;
  readonly wall: Wall;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Logs when this machine's clock is wrong, and when it is right again. */
export function watchClock({ store, wall, clock, log }: WatchOptions): Periodic {
  let isWrong = false;

  async function look(): Promise<void> {
    const difference = await clockDifference(store, wall);
    if (difference === null || isWrong === Math.abs(difference) > toleratedClockMs) return;
    isWrong = !isWrong;
    const fields = { difference_ms: difference };
    if (isWrong) log.warn(fields, `the clock of this machine is ${described(difference)} PostgreSQL's; synchronise both by NTP`);
    else log.info(fields, "the clock of this machine agrees with PostgreSQL's again");
  }

  const looks = new Periodic({ clock, everyMs: lookEveryMs, firstMs: 0, work: look, log, failed: 'the clocks could not be compared' });
  return store.now === null ? looks : looks.start();
}

/** Such as "25 h 0 min behind". */
function described(difference: number): string {
  const seconds = Math.round(Math.abs(difference) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const amount = hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
  return `${amount} ${difference > 0 ? 'ahead of' : 'behind'}`;
}
