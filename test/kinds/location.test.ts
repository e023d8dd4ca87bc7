import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, refuse } from './bodies.ts';

const axes = [
  ['latitude', 90],
  ['longitude', 180],
] as const;

describe.each(axes)('%s within ±%i', (field, limit) => {
  const body = (value: unknown) => ({ latitude: 1, longitude: 2, [field]: value });

  test.each<[unknown, number]>([
    [0, 0],
    [-0, 0],
    [limit, limit],
    [-limit, -limit],
    [limit - 1e-9, limit - 1e-9],
    [String(limit), limit],
    [`-${limit}.0`, -limit],
    ['+1.5', 1.5],
    ['.5', 0.5],
    ['-.25', -0.25],
    ['007', 7],
    ['-0', 0],
  ])('takes %j', (value, number) => {
    expect(accept('location', body(value))[field]).toBe(number);
  });

  test.each<[unknown]>([
    [limit + 1e-9],
    [-limit - 1],
    [`${limit}.000001`],
    [`-${limit}.1`],
    [JSON.parse('1e999')],
    [Number.NaN],
    [''],
    [' '],
    [' 5'],
    ['5\n'],
    ['1,5'],
    ['5.'],
    ['.'],
    ['-'],
    ['--1'],
    ['0x10'],
    ['1e1'],
    ['1_0'],
    ['Infinity'],
    ['NaN'],
    ['٥'],
    ['5°'],
    [null],
    [true],
    [[5]],
    [{}],
  ])('refuses %j [location.numeric]', (value) => {
    const message = `${field} must be a number, or a string with a decimal number, from -${limit} to ${limit}`;
    expect(refuse('location', body(value))).toEqual([{ field, message }]);
  });

  test('property: a number and its decimal text mean the same [location.numeric]', () => {
    fc.assert(
      fc.property(fc.double({ min: -limit, max: limit, noNaN: true }), fc.integer({ min: 0, max: 15 }), (value, digits) => {
        const decimal = value.toFixed(digits);
        expect(accept('location', body(decimal))).toEqual(accept('location', body(Number(decimal))));
      }),
    );
  });
});

test('name and address are empty strings when omitted [location.omitted]', () => {
  expect(accept('location', { latitude: '1', longitude: 2 })).toEqual({ latitude: 1, longitude: 2, name: '', address: '' });
  expect(accept('location', { latitude: 1, longitude: 2, name: 'N ', address: 'A' })).toEqual({
    latitude: 1,
    longitude: 2,
    name: 'N ',
    address: 'A',
  });
});
