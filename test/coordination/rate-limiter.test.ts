import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryRateLimiter } from '../../src/coordination/memory/rate-limiter.ts';
import { createManualClock } from '../support/manual-clock.ts';

// The contract's own figure, not the program's.
const windowMs = 60_000;

/** The rule as the contract says it, without any cleverness: remember every admitted request and count those of the last minute. */
class NaiveLimiter {
  readonly #times = new Map<string, number[]>();

  take(name: string, limit: number, now: number) {
    const times = this.#times.get(name) ?? [];
    this.#times.set(name, times);
    const left = (at: number) => Math.max(0, limit - times.filter((time) => time > at - windowMs).length);
    const admitted = left(now) > 0;
    if (admitted) times.push(now);
    const remaining = left(now);
    let resetSeconds = 1;
    while (left(now + resetSeconds * 1000) <= remaining) resetSeconds++;
    return { admitted, remaining, resetSeconds };
  }
}

// Steps that land before, on and after the moment when a request ages out.
const step = fc.oneof(
  fc.integer({ min: 0, max: 5 }),
  fc.constantFrom(0, 999, 1000, 1001, windowMs - 1, windowMs, windowMs + 1),
  fc.integer({ min: 0, max: 30_000 }),
);
const request = fc.record({ after: step, name: fc.constantFrom('a messages', 'a instances', 'b messages') });

describe('the rate limiter', () => {
  it('decides, counts and announces as the naive one does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(request, { maxLength: 120 }), (limit, requests) => {
        const clock = createManualClock();
        const limiter = createMemoryRateLimiter(clock);
        const naive = new NaiveLimiter();
        for (const { after, name } of requests) {
          clock.advance(after);
          expect(limiter.take(name, limit)).toEqual(naive.take(name, limit, clock.now()));
        }
      }),
    );
  });

  it('does so too when the limit changes on the way', () => {
    const changing = fc.record({ after: step, limit: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(changing, { maxLength: 120 }), (requests) => {
        const clock = createManualClock();
        const limiter = createMemoryRateLimiter(clock);
        const naive = new NaiveLimiter();
        for (const { after, limit } of requests) {
          clock.advance(after);
          expect(limiter.take('name', limit)).toEqual(naive.take('name', limit, clock.now()));
        }
      }),
    );
  });

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

  it('admits at most the limit in any 60 seconds, and a refused request costs nothing', () => {
    const clock = createManualClock(0);
    const limiter = createMemoryRateLimiter(clock);
    for (let count = 0; count < 3; count++) expect(limiter.take('name', 3)).toMatchObject({ admitted: true, remaining: 2 - count });
    for (let count = 0; count < 100; count++) expect(limiter.take('name', 3)).toEqual({ admitted: false, remaining: 0, resetSeconds: 60 });
    clock.advance(windowMs - 1);
    expect(limiter.take('name', 3)).toEqual({ admitted: false, remaining: 0, resetSeconds: 1 });
    clock.advance(1);
    expect(limiter.take('name', 3)).toEqual({ admitted: true, remaining: 2, resetSeconds: 60 });
  });
});
