import { expect, test } from 'vitest';
import { choiceOf, mistakeIn, periodOf } from '../../web/src/pages/usage/period.ts';

const at = (time: string) => Date.parse(time);

test.each([
  { now: '2026-11-21T23:59:59Z', search: {}, from: '2026-10-23', to: '2026-11-21' },
  { now: '2026-11-21T00:00:00Z', search: { period: 'month' }, from: '2026-11-01', to: '2026-11-21' },
  { now: '2026-11-01T00:00:00Z', search: { period: 'month' }, from: '2026-11-01', to: '2026-11-01' },
  { now: '2026-01-31T12:00:00Z', search: { period: 'last-month' }, from: '2025-12-01', to: '2025-12-31' },
  { now: '2028-03-31T12:00:00Z', search: { period: 'last-month' }, from: '2028-02-01', to: '2028-02-29' },
  { now: '2026-11-21T12:00:00Z', search: { from: '2026-02-03', to: '2026-02-04' }, from: '2026-02-03', to: '2026-02-04' },
] as const)('the days of $search at $now', ({ now, search, from, to }) => {
  expect(periodOf(search, at(now))).toEqual({ from, to });
});

test('own dates count as chosen only when both are there', () => {
  expect(choiceOf({ from: '2026-02-03', to: '2026-02-04' })).toBe('own');
  expect(choiceOf({ from: '2026-02-03' })).toBe('days');
});

test.each([
  { from: '2026-02-03', to: '2026-02-03', fine: true },
  { from: '2025-01-01', to: '2026-01-01', fine: true },
  { from: '2025-01-01', to: '2026-01-02', fine: false },
  { from: '2026-02-04', to: '2026-02-03', fine: false },
  { from: '', to: '2026-02-03', fine: false },
])('whether $from to $to can be asked for: $fine', ({ from, to, fine }) => {
  expect(mistakeIn({ from, to }) === null).toBe(fine);
});
