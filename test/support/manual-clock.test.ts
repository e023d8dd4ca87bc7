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

test('a long turn skips most heartbeats, and nothing else', async () => {
  const clock = createManualClock(0);
  const hourMs = 60 * 60_000;
  const came: Record<string, number[]> = { second: [], fiveSeconds: [], minute: [], retries: [] };
  const again = (name: string, ms: number): void =>
    void clock.after(ms, () => {
      came[name]?.push(clock.now());
      // As with work that waits for the store.
      void Promise.resolve().then(() => again(name, ms));
    });
  again('second', 1_000);
  again('fiveSeconds', 5_000);
  again('minute', 60_000);
  // What happens once, however short its time, happens at that time; so does what is tried again a few times.
  const retry = (left: number): void =>
    void clock.after(700, () => {
      came.retries?.push(clock.now());
      if (left > 1) retry(left - 1);
    });
  clock.after(30 * 60_000 + 1, () => retry(3));
  await clock.advanceAsync(hourMs);
  expect(clock.now()).toBe(hourMs);
  expect(came.minute).toEqual(Array.from({ length: 60 }, (_, minute) => (minute + 1) * 60_000));
  expect(came.retries).toEqual([1_800_701, 1_801_401, 1_802_101]);
  const { second = [], fiveSeconds = [] } = came;
  const within = (times: readonly number[], from: number, to: number) => times.filter((at) => at > from && at <= to).length;
  expect([within(second, 0, 60_000), within(second, hourMs - 60_000, hourMs)]).toEqual([60, 60]);
  expect([within(fiveSeconds, 0, 60_000), within(fiveSeconds, hourMs - 60_000, hourMs)]).toEqual([12, 12]);
  for (let minute = 2; minute < 59; minute++) {
    for (const times of [second, fiveSeconds])
      expect(within(times, minute * 60_000, (minute + 1) * 60_000), `minute ${minute}`).toBeGreaterThan(0);
  }
  expect(second.length).toBeLessThan(600);
});
