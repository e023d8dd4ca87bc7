import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalisePhoneNumber } from '../../src/core/index.ts';

/** The contract read literally, one character after the other. */
function model(text: string): string | null {
  let bare = '';
  for (const character of text) {
    if (character.trim() === '' || '-()[]'.includes(character)) continue;
    bare += character;
  }
  if (bare[0] === '+') bare = bare.slice(1);
  if (bare.length < 6 || bare.length > 15 || bare[0] === '0') return null;
  for (const character of bare) if (!'0123456789'.includes(character)) return null;
  return bare;
}

describe('a phone number', () => {
  test.each([
    ['+49 170 1234567', '491701234567'],
    ['(49) [170] 123-45-67', '491701234567'],
    ['123456', '123456'],
    ['123456789012345', '123456789012345'],
    ['12345', null],
    ['1234567890123456', null],
    ['0491701234567', null],
    ['+0491701234567', null],
    ['49170abc4567', null],
    ['49+1701234567', null],
    ['++491701234567', null],
    ['49.170.1234567', null],
    ['٤٩١٧٠١٢٣٤٥٦٧', null],
    ['', null],
    ['1'.repeat(100_000), null],
  ])('%j becomes %j', (text, digits) => {
    expect(normalisePhoneNumber(text)).toBe(digits);
  });

  test('property: agrees with the model [to.digits]', () => {
    const digit = fc.constantFrom(...'0123456789');
    const piece = fc.oneof(
      { weight: 9, arbitrary: digit },
      { weight: 2, arbitrary: fc.constantFrom(' ', '-', '(', ')', '[', ']', '\t') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('+', 'a', '.', '/', '٣'),
      },
    );
    fc.assert(
      fc.property(fc.constantFrom('', '+', '+ ', ' +', '('), fc.array(piece, { maxLength: 22 }), (start, parts) => {
        const text = start + parts.join('');
        expect(normalisePhoneNumber(text)).toBe(model(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('property: decoration never changes the number, and the result is stable [to.stripped]', () => {
    const number = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{5,14}$/)).map(([first, rest]) => `${first}${rest}`);
    fc.assert(
      fc.property(
        number,
        fc.array(fc.constantFrom('', ' ', '-', '(', ')', '[', ']'), { minLength: 16, maxLength: 16 }),
        (digits, between) => {
          const decorated = `+${[...digits].map((digit, index) => digit + between[index]).join('')}`;
          expect(normalisePhoneNumber(decorated)).toBe(digits);
          expect(normalisePhoneNumber(digits)).toBe(digits);
        },
      ),
    );
  });
});
