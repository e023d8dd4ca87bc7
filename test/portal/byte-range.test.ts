import { expect, it } from 'vitest';
import { rangeOf } from '../../src/portal/byte-range.ts';

it.each([
  [undefined, null],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=2-4', { first: 2, last: 4 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=4-400', { first: 4, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-300', { first: 0, last: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // No range at all, or more than one: everything is sent.
  ['bytes=4-2', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['bytes=0-1,4-5', null],
  ['lines=0-1', null],
  [`bytes=${'9'.repeat(20)}-`, null],
])('of 10 bytes %s asks for %j', (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range);
});

it('of an empty file nothing can be asked for', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(rangeOf(header, 0)).toBe('unsatisfiable');
});
