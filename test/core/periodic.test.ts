import { expect, test } from 'vitest';
import { Periodic, StoreUnavailable } from '../../src/core/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** Rounds that end when the test says so. */
function rounds(options: { everyMs: number; firstMs?: number }) {
  const clock = createManualClock();
  const begun: number[] = [];
  const logged: unknown[] = [];
  let end = Promise.withResolvers<void>();
  const periodic = new Periodic({
    ...options,
    clock,
    work() {
      begun.push(clock.monotonic() - since);
      end = Promise.withResolvers();
      return end.promise;
    },
    log: { error: (_, message) => void logged.push(message) },
    failed: 'it failed',
  });
  const since = clock.monotonic();
  const finish = async (error?: Error) => {
    if (error === undefined) end.resolve();
    else end.reject(error);
    await clock.advanceAsync(0);
  };
  return { clock, periodic, begun, logged, finish };
}

test('a round begins after the pause that follows the one before it, however long that takes and whether it fails', async () => {
  const { clock, periodic, begun, logged, finish } = rounds({ everyMs: 1_000, firstMs: 100 });
  periodic.start();
  await clock.advanceAsync(5_000);
  expect(begun).toEqual([100]);
  await finish(new Error('no'));
  await clock.advanceAsync(1_000);
  expect(begun).toEqual([100, 6_000]);
  await finish(new StoreUnavailable('the store logs this itself'));
  await clock.advanceAsync(1_000);
  expect(begun).toEqual([100, 6_000, 7_000]);
  expect(logged).toEqual(['it failed']);
});

test('a round that is asked for comes early, once, and never beside another one', async () => {
  const { clock, periodic, begun, finish } = rounds({ everyMs: 1_000 });
  periodic.start();
  periodic.wake(200);
  periodic.wake(500);
  await clock.advanceAsync(300);
  periodic.wake();
  periodic.wake();
  await clock.advanceAsync(2_000);
  expect(begun).toEqual([200]);
  await finish();
  await finish();
  expect(begun).toEqual([200, 2_300]);
  await clock.advanceAsync(999);
  expect(begun).toHaveLength(2);
  await clock.advanceAsync(1);
  expect(begun).toEqual([200, 2_300, 3_300]);
});

test('a stop waits for the round that is running, and there is no other one', async () => {
  const { clock, periodic, begun, finish } = rounds({ everyMs: 1_000 });
  periodic.start();
  await clock.advanceAsync(1_000);
  let stopped = false;
  const stop = periodic.stop().then(() => {
    stopped = true;
  });
  await clock.advanceAsync(5_000);
  expect(stopped).toBe(false);
  await finish();
  await stop;
  periodic.wake();
  await clock.advanceAsync(5_000);
  expect(begun).toEqual([1_000]);
  expect(clock.pending).toBe(0);
});

test('rounds without a pause of their own come only when asked for', async () => {
  const { clock, periodic, begun, finish } = rounds({ everyMs: Number.POSITIVE_INFINITY });
  periodic.start();
  expect(clock.pending).toBe(0);
  periodic.wake(50);
  await clock.advanceAsync(50);
  await finish();
  expect(begun).toEqual([50]);
  expect(clock.pending).toBe(0);
});
