import { expect, test, vi } from 'vitest';
import { Heartbeat } from '../../src/networks/whatsapp/worker/lifecycle/heartbeat.ts';
import { createManualClock } from '../support/manual-clock.ts';

const second = 1_000;

test('the network is asked at random times of 15 to 30 s, and is gone when it does not answer within 20 s', async () => {
  const clock = createManualClock();
  const rolled = [0, 1, 0.5];
  const asked: number[] = [];
  const answers = [true, true, false];
  const dead = vi.fn();
  const heartbeat = new Heartbeat({
    clock,
    random: () => rolled.shift() ?? 0,
    everyMs: 30 * second,
    async ping(withinMs) {
      expect(withinMs).toBe(20 * second);
      asked.push(clock.monotonic());
      return answers.shift() ?? false;
    },
    dead,
  });
  const begun = clock.monotonic();
  heartbeat.start();
  for (let passed = 0; passed < 90; passed++) await clock.advanceAsync(second);
  const times = [begun, ...asked];
  expect(asked.map((time, place) => time - (times[place] ?? 0))).toEqual([15 * second, 30 * second, 22.5 * second]);
  expect(dead).toHaveBeenCalledOnce();
});

test('a heartbeat that was stopped asks nothing', async () => {
  const clock = createManualClock();
  const ping = vi.fn(async () => true);
  const heartbeat = new Heartbeat({ clock, random: () => 0, everyMs: second, ping, dead: () => expect.unreachable() });
  heartbeat.start();
  heartbeat.stop();
  heartbeat.start();
  await clock.advanceAsync(10 * second);
  expect(ping).not.toHaveBeenCalled();
});
