import { setTimeout as sleep } from 'node:timers/promises';

/** How long something may take to come about before it counts as missing. */
const limitMs = 10_000;
/** From one look to the next: soon at first, later seldom enough for the rate limit on what is asked over HTTP. */
const pauses = { firstMs: 5, growth: 1.5, longestMs: 120 };

/** Resolves with what the check returns once it does not throw; rejects with its last error after 10 s, or after `timeout` where less time is the subject. */
export async function waitFor<T>(check: () => T | Promise<T>, { timeout = limitMs }: { readonly timeout?: number } = {}): Promise<T> {
  const end = performance.now() + timeout;
  for (let pause = pauses.firstMs; ; pause = Math.min(pause * pauses.growth, pauses.longestMs)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(pause);
  }
}
