import { expect, test } from 'vitest';
import { Deadlines } from '../../src/core/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const never = () => new Promise<string>(() => undefined);

test('gives the outcome of what ends in time', async () => {
  const clock = createManualClock();
  const deadlines = new Deadlines(clock, 1000);
  expect(await deadlines.race(Promise.resolve('done'), 'late')).toBe('done');
  await expect(deadlines.race(Promise.reject(new Error('failed')), 'late')).rejects.toThrow('failed');
});

test('each wait ends at its own time, with one timer for all', async () => {
  const clock = createManualClock();
  const deadlines = new Deadlines(clock, 1000);
  const ended: string[] = [];
  const wait = (name: string) => void deadlines.race(never(), name).then((late) => ended.push(late));
  wait('first');
  await clock.advanceAsync(400);
  wait('second');
  wait('third');
  expect(clock.pending).toBe(1);
  await clock.advanceAsync(599);
  expect(ended).toEqual([]);
  await clock.advanceAsync(1);
  expect(ended).toEqual(['first']);
  await clock.advanceAsync(399);
  expect(ended).toEqual(['first']);
  await clock.advanceAsync(1);
  expect(ended).toEqual(['first', 'second', 'third']);
  expect(clock.pending).toBe(0);
});

test('a wait that ended leaves its place to the next, whose time is its own', async () => {
  const clock = createManualClock();
  const deadlines = new Deadlines(clock, 1000);
  await deadlines.race(Promise.resolve(1), 0);
  await clock.advanceAsync(900);
  let late: string | null = null;
  void deadlines.race(never(), 'late').then((value) => {
    late = value;
  });
  await clock.advanceAsync(999);
  expect(late).toBeNull();
  await clock.advanceAsync(1);
  expect(late).toBe('late');
});

test.each([-3_600_000, 3_600_000])('a wait takes as long when the calendar is set by %i ms meanwhile', async (ms) => {
  const clock = createManualClock();
  const deadlines = new Deadlines(clock, 1000);
  const ended: string[] = [];
  void deadlines.race(never(), 'first').then((late) => ended.push(late));
  await clock.advanceAsync(500);
  clock.setCalendar(ms);
  void deadlines.race(never(), 'second').then((late) => ended.push(late));
  await clock.advanceAsync(499);
  expect(ended).toEqual([]);
  await clock.advanceAsync(1);
  expect(ended).toEqual(['first']);
  await clock.advanceAsync(500);
  expect(ended).toEqual(['first', 'second']);
});
