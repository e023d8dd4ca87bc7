import { expect, it } from 'vitest';
import { createMemoryRateLimiter } from '../../src/coordination/rate-limiter.ts';
import { describeRateLimiter } from '../support/coordination/rate-limiter-suite.ts';
import { createManualClock } from '../support/manual-clock.ts';

const windowMs = 60_000;

describeRateLimiter('in memory', (clock) => createMemoryRateLimiter(clock));

it.each([-3_600_000, 3_600_000])('counts a minute as a minute when the calendar is set by %i ms meanwhile', (ms) => {
  const clock = createManualClock();
  const limiter = createMemoryRateLimiter(clock);
  expect(limiter.take('name', 1)).toEqual({ admitted: true, remaining: 0, resetSeconds: 60 });
  clock.setCalendar(ms);
  expect(limiter.take('name', 1)).toEqual({ admitted: false, remaining: 0, resetSeconds: 60 });
  clock.advance(windowMs - 1);
  expect(limiter.take('name', 1)).toEqual({ admitted: false, remaining: 0, resetSeconds: 1 });
  clock.advance(1);
  expect(limiter.take('name', 1)).toMatchObject({ admitted: true });
});
