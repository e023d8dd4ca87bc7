import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ticksOf } from '../../web/src/parts/chart/ticks.ts';

test.each([
  { largest: 0, ticks: [0, 1] },
  { largest: 1, ticks: [0, 1] },
  { largest: 4, ticks: [0, 1, 2, 3, 4] },
  { largest: 5, ticks: [0, 2, 4, 6] },
  { largest: 100, ticks: [0, 50, 100] },
  { largest: 1234, ticks: [0, 500, 1000, 1500] },
])('an axis up to $largest is marked at $ticks', ({ largest, ticks }) => {
  expect(ticksOf(largest)).toEqual(ticks);
});

test('an axis has few marks, at whole numbers, and room for the largest value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (largest) => {
      const ticks = ticksOf(largest);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.every((tick) => Number.isInteger(tick))).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(1, largest));
      expect(ticks.at(-2)).toBeLessThan(Math.max(1, largest));
    }),
  );
});
