import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from '../../src/sessions/reconnect.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('waits between nothing and a bound that doubles from a second to a minute [reconnect.backoff]', () => {
  fc.assert(
    fc.property(fc.nat(10_000), random, (attempt, share) => {
      const wait = backoffMs(attempt, () => share);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(Math.min(60_000, 1000 * 2 ** attempt));
    }),
  );
});

it('spreads over the whole range: full jitter', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => backoffMs(attempt, () => 0.5))).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(backoffMs(20, () => 0)).toBe(0);
  expect(backoffMs(20, () => 0.999_999_9)).toBe(59_999);
});
