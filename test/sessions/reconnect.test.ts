import { expect, it } from 'vitest';
import type { Clock } from '../../src/core/index.ts';
import { Reconnect } from '../../src/sessions/reconnect.ts';
import { createManualClock } from '../support/manual-clock.ts';

// What a timer of Node.js can wait at most.
const longestTimerMs = 2 ** 31 - 1;
const dayMs = 24 * 60 * 60 * 1000;

it('never sets a timer that is longer than timers can be [banned.meanwhile]', () => {
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

/** A reconnect that tells how often it connected. */
function counting(random: number) {
  const clock = createManualClock();
  const told = { connected: 0 };
  const reconnect = new Reconnect(
    clock,
    () => random,
    () => told.connected++,
  );
  return { clock, told, reconnect };
}

it.each([-3_600_000, 3_600_000])('backs off as long when the calendar is set by %i ms meanwhile', (ms) => {
  const { clock, told, reconnect } = counting(0.5);
  reconnect.later();
  clock.setCalendar(ms);
  clock.advance(499);
  expect(told.connected).toBe(0);
  clock.advance(1);
  expect(told.connected).toBe(1);
});

it('notices within a minute that the calendar was set past the end of a ban, and waits on when it was set back', () => {
  const { clock, told, reconnect } = counting(0);
  reconnect.notBefore(clock.now() + dayMs);
  reconnect.later();
  clock.advance(dayMs / 2);
  clock.setCalendar(-3_600_000);
  clock.advance(dayMs / 2);
  expect(told.connected).toBe(0);
  clock.setCalendar(3_600_000);
  clock.advance(60_000);
  expect(told.connected).toBe(1);
});

it('tries soon when it is told that others reach the network, and never before the network allows it', () => {
  const { clock, told, reconnect } = counting(0.5);
  for (let failure = 0; failure < 7; failure++) reconnect.later();
  reconnect.soon();
  clock.advance(1000);
  expect(told.connected).toBe(1);
  // Nothing is planned, and nothing is begun.
  reconnect.soon();
  expect(clock.pending).toBe(0);
  reconnect.notBefore(clock.now() + 30_000);
  reconnect.later();
  reconnect.soon();
  clock.advance(30_000);
  expect(told.connected).toBe(1);
  clock.advance(1000);
  expect(told.connected).toBe(2);
});

it('does not put off a try that is near', () => {
  const { clock, told, reconnect } = counting(0.5);
  reconnect.later();
  reconnect.soon();
  clock.advance(500);
  expect(told.connected).toBe(1);
});
