import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './faults.ts';

// Waiting inside SQLite for another program's writing would stop the event loop. So the busy timeout of every connection is 0, and what finds
// the database busy is tried again a little later.

/** How long a caller waits for another program to end its writing, unless its operation waits longer, in milliseconds. */
export const patienceMs = 5_000;

const longestDelayMs = 50;

/** How long to wait before the next try, in milliseconds, after the last wait; 0: there was none. */
export function nextDelayMs(last: number): number {
  return Math.min(last * 2 || 1, longestDelayMs);
}

/** Does the work, again and again while it finds the database busy. Throws what the last try threw when five seconds have passed. */
export async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let delay = nextDelayMs(0); ; delay = nextDelayMs(delay)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await sleep(delay);
  }
}
