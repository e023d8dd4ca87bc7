import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchEventLoop } from '../../src/health/event-loop.ts';
import { createManualClock } from '../support/manual-clock.ts';

const windowMs = 30_000;

/** Keeps everybody else waiting, five times. */
async function block(ms: number): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const end = performance.now() + ms;
    while (performance.now() < end);
    await setImmediate();
  }
}

it('the event loop is watched in windows, and what blocked it long ago does not count any more', async () => {
  const clock = createManualClock();
  const watched = watchEventLoop(clock);
  expect(watched.read()).toEqual({ p50Ms: 0, p99Ms: 0 });
  await block(120);
  clock.advance(windowMs);
  const { p50Ms, p99Ms } = watched.read();
  expect(p50Ms).toBeGreaterThan(50);
  expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  await block(25);
  clock.advance(windowMs);
  expect(watched.read().p50Ms).toBeLessThan(50);
  watched.stop();
  expect(clock.pending).toBe(0);
});
