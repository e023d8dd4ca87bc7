import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, accepts, refuse, refusedFields } from './bodies.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`);
const question = 'Which?';

describe('options', () => {
  test.each([2, 10])('may be %i', (count) => {
    expect(accept('poll', { question, options: names(count) })).toEqual({ question, options: names(count), selectable_count: 1 });
  });

  test.each([0, 1, 11, 5000])('may not be %i', (count) => {
    expect(refuse('poll', { question, options: names(count) })).toEqual([{ field: 'options', message: 'options must have 2 to 10 items' }]);
  });

  test('are strings', () => {
    expect(refuse('poll', { question, options: 'ab' })).toEqual([{ field: 'options', message: 'options must be a list' }]);
    expect(refuse('poll', { question, options: ['a', 7, null] })).toEqual([
      { field: 'options[1]', message: 'options[1] must be a string' },
      { field: 'options[2]', message: 'options[2] must be a string' },
    ]);
  });

  test('are distinct; the later one is named', () => {
    expect(refuse('poll', { question, options: ['a', 'b', 'a', 'c', 'b'] })).toEqual([
      { field: 'options[2]', message: 'options[2] must differ from every other option' },
      { field: 'options[4]', message: 'options[4] must differ from every other option' },
    ]);
    expect(accepts('poll', { question, options: ['a', 'A', 'a '] })).toBe(true);
  });

  test('property: refused exactly at the positions that were seen before [poll.distinct]', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), { minLength: 2, maxLength: 10 }), (options) => {
        const repeated = options.flatMap((option, index) => (options.indexOf(option) < index ? [`options[${index}]`] : []));
        if (repeated.length === 0) expect(accept('poll', { question, options })).toMatchObject({ options });
        else expect(refusedFields('poll', { question, options })).toEqual(repeated);
      }),
    );
  });
});

describe('selectable_count', () => {
  test.each([1, 2, 3])('may be %i of three', (selectable_count) => {
    expect(accept('poll', { question, options: names(3), selectable_count })).toMatchObject({ selectable_count });
  });

  test('may not exceed the options [poll.count]', () => {
    expect(refuse('poll', { question, options: names(3), selectable_count: 4 })).toEqual([
      { field: 'selectable_count', message: 'selectable_count must be 1 to 3, the number of options' },
    ]);
    expect(accepts('poll', { question, options: names(10), selectable_count: 10 })).toBe(true);
  });

  test.each([0, -1, 11, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, '1', null, true, [1]])(
    'refuses %j [poll.count]',
    (selectable_count) => {
      expect(refuse('poll', { question, options: names(10), selectable_count })).toEqual([
        { field: 'selectable_count', message: 'selectable_count must be an integer from 1 to the number of options, at most 10' },
      ]);
    },
  );
});
