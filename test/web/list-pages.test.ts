import { expect, it } from 'vitest';
import { lackOf } from '../../web/src/parts/list/lack.ts';

const page = { rows: [], total: 0, next: null, previous: null };

it.each([
  ['rows', { rows: [1], total: 1 }, null],
  ['none although others are counted', { total: 50, previous: 'mark' }, 'on_page'],
  ['none although there is a page before, where nothing is counted', { total: null, previous: 'mark' }, 'on_page'],
  ['none, nor has any other', { previous: 'mark' }, 'at_all'],
  ['none where nothing is counted', { total: null }, 'at_all'],
] as const)('a page that has %s', (_, found, lack) => {
  expect(lackOf({ ...page, ...found }, false)).toBe(lack);
});

it('a filter that leaves nothing', () => {
  expect(lackOf(page, true)).toBe('fitting');
});
