import { expect, test } from 'vitest';
import { LastingTime } from '../../src/core/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test('follows the calendar and its small corrections', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  for (const correction of [0, 20, -20, minuteMs, -minuteMs]) {
    clock.advance(dayMs);
    clock.setCalendar(correction);
    expect(lasting.now()).toBe(clock.now());
  }
});

test('goes on from where it was when the calendar is set back, and follows it again when that is mended or has caught up', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  const before = clock.now();
  clock.setCalendar(-dayMs);
  clock.advance(3 * hourMs);
  expect(lasting.now()).toBe(before + 3 * hourMs);
  expect([lasting.earliest(), lasting.latest()]).toEqual([clock.now(), before + 3 * hourMs]);
  clock.setCalendar(dayMs + 20);
  expect([lasting.now(), lasting.inDoubt]).toEqual([clock.now(), false]);
  clock.setCalendar(-hourMs);
  lasting.now();
  clock.setCalendar(hourMs - minuteMs);
  expect(lasting.now()).toBe(clock.now());
});

test('goes on from where it was when the calendar jumps ahead, and forgets the jump when it is taken back', () => {
  const clock = createManualClock();
  const lasting = new LastingTime(clock);
  const before = clock.now();
  clock.setCalendar(25 * hourMs);
  expect([lasting.now(), lasting.inDoubt]).toEqual([before, true]);
  expect([lasting.earliest(), lasting.latest()]).toEqual([before, before + 25 * hourMs]);
  clock.advance(59 * minuteMs);
  expect(lasting.now()).toBe(before + 59 * minuteMs);
  clock.setCalendar(-25 * hourMs);
  expect([lasting.now(), lasting.inDoubt]).toEqual([clock.now(), false]);
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

test('after a start goes on from what the last process told: believes the calendar in an hour where it is ahead, and waits where it is behind', () => {
  const clock = createManualClock();
  const last = clock.now() - 3 * dayMs;
  const lasting = new LastingTime(clock, last);
  expect(lasting.now()).toBe(last);
  clock.advance(hourMs - 1);
  expect(lasting.now()).toBe(last + hourMs - 1);
  clock.advance(1);
  expect(lasting.now()).toBe(clock.now());
  const ahead = clock.now() + dayMs;
  expect(new LastingTime(clock, ahead).now()).toBe(ahead);
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
