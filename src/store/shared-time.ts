import type { Clock } from '../core/index.ts';
import { databaseNow } from './postgres/leases.ts';
import type { Store } from './store.ts';

/**
 * The time (epoch milliseconds) by which all servers judge what several of them look at: PostgreSQL's. The embedded store has one server, whose clock
 * it is.
 */
export async function sharedNow({ dialect, db }: Pick<Store, 'dialect' | 'db'>, clock: { now(): number }): Promise<number> {
  if (dialect === 'sqlite') return clock.now();
  return (await db.selectNoFrom(databaseNow.as('now')).executeTakeFirstOrThrow()).now;
}

/** How often the store is asked at most when its time is in doubt. */
const askEveryMs = 1_000;

/**
 * The shared time without a question for each look: what the store said last, and what the stopwatch has counted since. A calendar that is set
 * changes nothing. After `doubt` the store is asked anew: a suspended machine's stopwatch stood still, a new primary's clock is another one.
 */
export async function followSharedTime(
  ask: () => Promise<number>,
  clock: Pick<Clock, 'monotonic'>,
): Promise<{ now(): number; doubt(): void }> {
  const read = async () => ({ time: await ask(), at: clock.monotonic() });
  let last = await read();
  let askedAt = clock.monotonic();
  return {
    now: () => last.time + (clock.monotonic() - last.at),
    doubt() {
      if (clock.monotonic() - askedAt < askEveryMs) return;
      askedAt = clock.monotonic();
      read().then(
        (found) => {
          last = found;
        },
        // The store logs its own outages, and the next doubt asks again.
        () => undefined,
      );
    },
  };
}
