import { describe, expect, test } from 'vitest';
import { deepestNesting, isStorableText, malformedParts } from '../../src/kinds/index.ts';
import { hostileNesting, nested } from '../support/nested.ts';

const bad = 'a\0';
const malformed = (value: unknown) => malformedParts(value, isStorableText);

describe('malformedParts', () => {
  test('names each string that is no text by its place', () => {
    expect(malformed({ a: 'x', b: [bad, 'x', { c: bad }], d: null, e: 7 })).toEqual([
      { path: ['b', 0], problem: 'text' },
      { path: ['b', 2, 'c'], problem: 'text' },
    ]);
    expect(malformed(bad)).toEqual([{ path: [], problem: 'text' }]);
    expect(malformed({ a: 'x', b: ['x', { c: '' }] })).toEqual([]);
  });

  test('goes as deep as anybody means, and names the field of what is deeper', () => {
    const body = (levels: number) => ({ a: JSON.parse(nested(levels, JSON.stringify(bad))) });
    // The body is a level too.
    expect(malformed(body(deepestNesting - 1))).toMatchObject([{ path: { length: deepestNesting }, problem: 'text' }]);
    expect(malformed(body(deepestNesting))).toEqual([{ path: ['a'], problem: 'depth' }]);
  });

  test.each(hostileNesting)('is done at once with %s', (_, json) => {
    const body = JSON.parse(`{"a":${json}}`);
    // The processor's time of this process: what else the machine does is not counted.
    const started = process.cpuUsage();
    const found = malformed(body);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(20);
  });
});
