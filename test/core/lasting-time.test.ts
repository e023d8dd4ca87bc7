import { expect, test } from 'vitest';
import { LastingTime } from '../../src/core/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test('follows the calendar, small corrections and settings back included', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  for (const correction of [0, 20, -20, minuteMs, -hourMs, -dayMs]) {
    clock.advance(dayMs);
    clock.setCalendar(correction);
    expect(lasting.now()).toBe(clock.now());
  }
});

test('goes on from where it was when the calendar jumps ahead, and forgets the jump when it is taken back', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  const before = clock.now();
  clock.setCalendar(25 * hourMs);
  expect(lasting.now()).toBe(before);
  clock.advance(59 * minuteMs);
  expect(lasting.now()).toBe(before + 59 * minuteMs);
  clock.setCalendar(-25 * hourMs);
  expect(lasting.now()).toBe(clock.now());
  clock.setCalendar(25 * hourMs);
  clock.advance(59 * minuteMs);
  expect(lasting.now()).toBe(before + 118 * minuteMs);
});

test('believes a jump that has lasted an hour', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  clock.setCalendar(25 * hourMs);
  lasting.now();
  clock.advance(hourMs - 1);
  expect(lasting.now()).toBe(clock.now() - 25 * hourMs);
  clock.advance(1);
  expect(lasting.now()).toBe(clock.now());
});

test('has each further jump prove itself anew', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  const before = clock.now();
  clock.setCalendar(2 * hourMs);
  lasting.now();
  clock.advance(50 * minuteMs);
  clock.setCalendar(dayMs);
  expect(lasting.now()).toBe(before + 50 * minuteMs);
  clock.advance(50 * minuteMs);
  expect(lasting.now()).toBe(before + 100 * minuteMs);
  clock.advance(10 * minuteMs);
  expect(lasting.now()).toBe(clock.now());
});

test('after a start believes the calendar in an hour where it is ahead of what the last process told, and at once where it is not', () => {
  const clock = createManualClock();
  const last = clock.now() - 3 * dayMs;
  const lasting = new LastingTime(clock, last);
  expect(lasting.now()).toBe(last);
  clock.advance(hourMs - 1);
  expect(lasting.now()).toBe(last + hourMs - 1);
  clock.advance(1);
  expect(lasting.now()).toBe(clock.now());
  expect(new LastingTime(clock, clock.now() + dayMs).now()).toBe(clock.now());
  expect(new LastingTime(clock, null).now()).toBe(clock.now());
});

test('tells whole milliseconds while it waits for the proof of a jump, though the stopwatch has parts of them', () => {
  let monotonic = 0.25;
  let calendar = 1_000_000;
  const clock = { ...createManualClock(), now: () => calendar, monotonic: () => monotonic };
  const lasting = new LastingTime(clock);
  calendar += 25 * hourMs;
  monotonic += 1000.3;
  expect(lasting.now()).toBe(1_001_000);
});
