import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RateLimiter } from '../../../src/coordination/index.ts';
import type { Clock } from '../../../src/core/index.ts';
import { createManualClock } from '../manual-clock.ts';

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

/** What every rate limiter does. `open` makes one that has counted nothing and takes its time from the clock. */
export function describeRateLimiter(form: string, open: (clock: Clock) => RateLimiter): void {
  describe(`the rate limiter ${form}`, () => {
    it('decides, counts and announces as the naive one does [limits.values limits.sliding limits.reset]', async () => {
      const requests = fc.array(request, { maxLength: 120 });
      const property = fc.asyncProperty(fc.integer({ min: 1, max: 12 }), requests, async (limit, asked) => {
        const clock = createManualClock();
        const limiter = open(clock);
        const naive = new NaiveLimiter();
        for (const { after, name } of asked) {
          clock.advance(after);
          expect(await limiter.take(name, limit)).toEqual(naive.take(name, limit, clock.now()));
        }
      });
      await fc.assert(property);
    });

    it('does so too when the limit changes on the way', async () => {
      const changing = fc.record({ after: step, limit: fc.integer({ min: 1, max: 12 }) });
      const property = fc.asyncProperty(fc.array(changing, { maxLength: 120 }), async (requests) => {
        const clock = createManualClock();
        const limiter = open(clock);
        const naive = new NaiveLimiter();
        for (const { after, limit } of requests) {
          clock.advance(after);
          expect(await limiter.take('name', limit)).toEqual(naive.take('name', limit, clock.now()));
        }
      });
      await fc.assert(property);
    });

    it('decides one after the other what is asked at once', async () => {
      const clock = createManualClock();
      const limiter = open(clock);
      const naive = new NaiveLimiter();
      const names = Array.from({ length: 500 }, (_, place) => `name ${place % 7}`);
      const decisions = await Promise.all(names.map((name) => limiter.take(name, 20)));
      expect(decisions).toEqual(names.map((name) => naive.take(name, 20, clock.now())));
    });

    it('admits at most the limit in any 60 seconds, and a refused request costs nothing [limits.remaining]', async () => {
      const clock = createManualClock();
      const limiter = open(clock);
      for (let count = 0; count < 3; count++) expect(await limiter.take('name', 3)).toMatchObject({ admitted: true, remaining: 2 - count });
      for (let count = 0; count < 100; count++) {
        expect(await limiter.take('name', 3)).toEqual({ admitted: false, remaining: 0, resetSeconds: 60 });
      }
      clock.advance(windowMs - 1);
      expect(await limiter.take('name', 3)).toEqual({ admitted: false, remaining: 0, resetSeconds: 1 });
      clock.advance(1);
      expect(await limiter.take('name', 3)).toEqual({ admitted: true, remaining: 2, resetSeconds: 60 });
    });
  });
}
