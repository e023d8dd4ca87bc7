import { expect, it } from 'vitest';
import { sharedTime } from '../../src/coordination/index.ts';
import { openAgeTime, type Store } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';

const db = {} as unknown as Store['db'];

it('the time that servers share goes by the stopwatch, whatever the calendar says, and is asked for again when it is in doubt', async () => {
  const clock = createManualClock();
  let theirs = 1_800_000_000_000;
  let asked = 0;
  const now = async () => {
    asked++;
    return theirs;
  };
  const time = sharedTime(await openAgeTime({ db, now }, clock), clock);
  clock.setCalendar(-25 * 60 * 60 * 1000);
  clock.advance(10_000);
  expect(time.now()).toBe(theirs + 10_000);

  theirs += 3_600_000;
  time.doubt();
  await waitFor(() => expect(time.now()).toBe(theirs));
  for (let i = 0; i < 100; i++) time.doubt();
  expect(asked).toBe(2);
});

it('the time that servers share goes on while the store is away', async () => {
  const clock = createManualClock();
  let answer: () => Promise<number> = async () => 1000;
  const time = sharedTime(await openAgeTime({ db, now: () => answer() }, clock), clock);
  answer = () => Promise.reject(new Error('away'));
  clock.advance(5000);
  time.doubt();
  await new Promise((resolve) => setImmediate(resolve));
  expect(time.now()).toBe(6000);
});
