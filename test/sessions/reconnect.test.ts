import { expect, it } from 'vitest';
import type { Clock } from '../../src/core/index.ts';
import { Reconnect } from '../../src/sessions/reconnect.ts';
import { createManualClock } from '../support/manual-clock.ts';

// What a timer of Node.js can wait at most.
const longestTimerMs = 2 ** 31 - 1;
const dayMs = 24 * 60 * 60 * 1000;

it('never sets a timer that is longer than timers can be', () => {
  const clock = createManualClock();
  const bounded: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, run) {
      expect(ms).toBeLessThanOrEqual(longestTimerMs);
      return clock.after(ms, run);
    },
  };
  let connected = 0;
  const reconnect = new Reconnect(
    bounded,
    () => 0,
    () => connected++,
  );
  reconnect.notBefore(clock.now() + 100 * dayMs);
  reconnect.later();
  clock.advance(100 * dayMs - 1);
  expect(connected).toBe(0);
  clock.advance(1);
  expect(connected).toBe(1);
  expect(clock.pending).toBe(0);
});

it('has one plan at a time, and none after it was cancelled', () => {
  const clock = createManualClock();
  let connected = 0;
  const reconnect = new Reconnect(
    clock,
    () => 0.5,
    () => connected++,
  );
  reconnect.later();
  reconnect.later();
  expect(clock.pending).toBe(1);
  clock.advance(1000);
  expect(connected).toBe(1);
  reconnect.later();
  reconnect.cancel();
  clock.advance(dayMs);
  expect(connected).toBe(1);
});
