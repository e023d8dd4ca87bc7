import { type AgeTime, type Clock, type Timer, utcDay } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { makeSums } from './make.ts';
import { moveSummedTo, readSummedTo } from './queries.ts';

const dayMs = 24 * 60 * 60 * 1000;
const everyMs = 60 * 60 * 1000;
/** A start has enough to do, and a server that starts again and again sums nothing. */
const afterStartMs = 60_000;
/** A day is in no sum until it has been over for two days: nobody's clock is wrong by that much, and no write takes as long. */
const overForMs = 3 * dayMs;
/** What is written of a day that has been over for one day may be in a sum; other servers may be an hour late to hear of it. */
const lateAfterMs = 2 * dayMs;

interface KeeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The time that ages are measured by; `clock` only triggers the rounds. */
  readonly time: Pick<AgeTime, 'earliest'>;
  readonly log: { error(fields: object, message: string): void };
}

/**
 * Makes the sums of what accounts have used once a day, by one of the servers, and some time after each start. Every server looks once an hour
 * how far the sums go. Resolves when it has looked first.
 */
export async function keepUsageSums({ store, clock, time, log }: KeeperOptions): Promise<{ stop(): Promise<void> }> {
  let timer: Timer;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  // An earlier process may have been stopped before it was done.
  let unfinished = true;

  /** Learns which days may be in a sum: by this server's calendar, and by what others have summed. */
  async function look(now: number): Promise<void> {
    const late = utcDay(now - lateAfterMs);
    const summedTo = (await readSummedTo(store.db)) ?? late;
    store.hot.summed.reach(late > summedTo ? late : summedTo);
  }

  async function round(): Promise<void> {
    const now = time.earliest();
    await look(now);
    const through = utcDay(now - overForMs);
    if (!(await moveSummedTo(store.db, through)) && !unfinished) return;
    unfinished = true;
    await makeSums(store, through, () => stopped);
    unfinished = false;
  }

  function plan(ms: number): void {
    timer = clock.after(ms, () => {
      running = round()
        .catch((error: unknown) => log.error({ err: error }, 'what accounts have used could not be summed'))
        .finally(() => {
          if (!stopped) plan(everyMs);
        });
    });
  }

  await look(time.earliest());
  plan(afterStartMs);
  return {
    async stop(): Promise<void> {
      stopped = true;
      timer.cancel();
      await running;
    },
  };
}
