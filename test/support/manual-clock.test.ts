import { expect, test } from 'vitest';
import { createManualClock } from './manual-clock.ts';

test('timers fire in order of their time, each at its own time, those set on the way included', () => {
  const clock = createManualClock(1_000);
  const fired: string[] = [];
  const note = (name: string) => () => fired.push(`${name} ${clock.now()}`);
  clock.after(30, note('late'));
  clock.after(10, () => {
    note('early')();
    clock.after(10, note('set on the way'));
  });
  clock.after(10, note('same time'));
  clock.after(20, note('cancelled')).cancel();
  clock.advance(29);
  expect(fired).toEqual(['early 1010', 'same time 1010', 'set on the way 1020']);
  expect(clock.now()).toBe(1_029);
  expect(clock.pending).toBe(1);
  clock.advance(1);
  expect(fired).toHaveLength(4);
  expect(clock.pending).toBe(0);
});

test('advanceAsync lets code set its next timer after an await', async () => {
  const clock = createManualClock(0);
  let rounds = 0;
  const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const loop = async () => {
    for (; rounds < 3; rounds++) await sleep(10);
  };
  const done = loop();
  await clock.advanceAsync(30);
  await done;
  expect([rounds, clock.now()]).toEqual([3, 30]);
});
