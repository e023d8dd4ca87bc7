import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalisePhoneNumber } from '../../src/core/index.ts';

/** Every character of Unicode that one of the classes has; half of a surrogate pair is none. */
function charactersOf(pattern: RegExp): string[] {
  const found: string[] = [];
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = point >= 0xd800 && point <= 0xdfff ? '' : String.fromCodePoint(point);
    if (character !== '' && pattern.test(character)) found.push(character);
  }
  return found;
}

const ignored = [
  ...charactersOf(/^\p{White_Space}$/u),
  ...charactersOf(/^\p{Dash}$/u),
  ...charactersOf(/^[\p{Ps}\p{Pe}]$/u),
  ...charactersOf(/^[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]$/u),
];

/** The ten digits of every script that the runtime can write numbers in. */
const digitsOfScripts = Intl.supportedValuesOf('numberingSystem').flatMap((numberingSystem) => {
  const digits = Array.from({ length: 10 }, (_, value) => new Intl.NumberFormat('en', { numberingSystem }).format(value));
  return digits.every((digit) => /^\p{Nd}$/u.test(digit)) ? [digits] : [];
});

const valueOfDigit = new Map(digitsOfScripts.flatMap((digits) => digits.map((digit, value) => [digit, String(value)] as const)));
const ignoredSet = new Set(ignored);

/** The contract and the decisions read literally, one character after the other. */
function model(text: string): string | null {
  let bare = '';
  for (const character of text) {
    if (ignoredSet.has(character)) continue;
    bare += valueOfDigit.get(character) ?? character;
  }
  if (bare[0] === '+' || bare[0] === '＋') bare = bare.slice(1);
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
    ['٤٩١٧٠١٢٣٤٥٦٧', '491701234567'],
    ['\u202a+49 170 1234567\u202c', '491701234567'],
    ['\u2068+49\u00a0170\u202f123\u20114567\u2069', '491701234567'],
    ['+49\u200b170\u2060123\u00ad45\ufeff67', '491701234567'],
    ['＋４９（１７０）１２３４５６７', '491701234567'],
    ['+49 170 123−45–67', '491701234567'],
    ['【49】170﹣1234567', '491701234567'],
    [`${'\u200e'.repeat(200)}491701234567`, '491701234567'],
    ['+49170①234567', null],
    ['+49170½234567', null],
    ['', null],
    ['1'.repeat(100_000), null],
  ])('%j becomes %j', (text, digits) => {
    expect(normalisePhoneNumber(text)).toBe(digits);
  });

  test('property: agrees with the model [to.digits to.marks]', () => {
    const digit = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...'0123456789') }, fc.constantFrom(...digitsOfScripts.flat()));
    const piece = fc.oneof(
      { weight: 9, arbitrary: digit },
      { weight: 2, arbitrary: fc.constantFrom(...ignored) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('+', 'a', '.', '/', '①', '²'),
      },
    );
    fc.assert(
      fc.property(fc.constantFrom('', '+', '＋', '+ ', ' +', '('), fc.array(piece, { maxLength: 22 }), (start, parts) => {
        const text = start + parts.join('');
        expect(normalisePhoneNumber(text)).toBe(model(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('property: decoration never changes the number, and the result is stable [to.stripped to.marks]', () => {
    const number = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{5,14}$/)).map(([first, rest]) => `${first}${rest}`);
    fc.assert(
      fc.property(
        number,
        fc.array(fc.oneof(fc.constant(''), fc.constantFrom(...ignored)), { minLength: 16, maxLength: 16 }),
        (digits, between) => {
          const decorated = `+${[...digits].map((digit, index) => digit + between[index]).join('')}`;
          expect(normalisePhoneNumber(decorated)).toBe(digits);
          expect(normalisePhoneNumber(digits)).toBe(digits);
        },
      ),
    );
  });

  test('every digit of Unicode counts as its value [to.marks]', () => {
    for (const digits of digitsOfScripts) {
      expect(normalisePhoneNumber(digits.slice(1).join(''))).toBe('123456789');
      expect(normalisePhoneNumber(`1${digits.join('')}`)).toBe('10123456789');
    }
    // Those of which the runtime has no numbering system have one value each too, from zero to nine.
    const all = charactersOf(/^\p{Nd}$/u);
    const values = all.map((digit) => normalisePhoneNumber(`123456${digit}`)?.at(-1));
    expect(values.join('')).toBe('0123456789'.repeat(all.length / 10));
  });
});
