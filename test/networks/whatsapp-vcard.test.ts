import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vcard } from '../../src/networks/whatsapp/worker/encoding/vcard.ts';

/** The properties as a reader of RFC 2426 takes them: lines unfolded, split at the first colon. */
function properties(text: string): [string, string][] {
  return text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]);
}

const unescaped = (value: string) => value.replace(/\\(.)/gs, (_, character: string) => (character === 'n' ? '\n' : character));

describe('a contact card', () => {
  test('has every field, each on its line', () => {
    const card = {
      full_name: 'Ada Lovelace',
      phone_number: '442079460958',
      organization: 'Analytical Engines',
      email: 'ada@example.com',
      url: 'https://example.com/a;b,c',
    };
    expect(vcard(card)).toBe(
      [
        'BEGIN:VCARD',
        'VERSION:3.0',
        'N:;Ada Lovelace;;;',
        'FN:Ada Lovelace',
        'ORG:Analytical Engines',
        'TEL;TYPE=CELL,VOICE;waid=442079460958:+442079460958',
        'EMAIL;TYPE=INTERNET:ada@example.com',
        'URL:https://example.com/a;b,c',
        'END:VCARD',
        '',
      ].join('\r\n'),
    );
  });

  test('leaves out what is empty', () => {
    const text = vcard({ full_name: 'A', phone_number: '4912345678', organization: '', email: '' });
    expect(properties(text).map(([name]) => name)).toEqual(['BEGIN', 'VERSION', 'N', 'FN', 'TEL;TYPE=CELL,VOICE;waid=4912345678', 'END']);
  });

  test.each([
    ['a comma, a semicolon and a backslash', 'Doe, Jane; Dr. \\', 'Doe\\, Jane\\; Dr. \\\\'],
    ['line breaks of each kind', 'a\r\nb\nc\rd', 'a\\nb\\nc\\nd'],
    ['other control characters', 'a\u0000\u0007b\u0085', 'ab'],
    ['a property of its own', 'X\r\nTEL:+1', 'X\\nTEL:+1'],
  ])('escapes %s', (_, name, written) => {
    const found = new Map(properties(vcard({ full_name: name, phone_number: '4912345678' })));
    expect(found.get('FN')).toBe(written);
    expect(found.get('N')).toBe(`;${written};;;`);
    expect(found.has('TEL')).toBe(false);
  });

  test('folds lines at 75 bytes without cutting a character', () => {
    const name = `${'ä'.repeat(40)}${'👩‍🚀'.repeat(20)}`;
    const text = vcard({ full_name: name, phone_number: '4912345678' });
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text).not.toContain('\ufffd');
    expect(new Map(properties(text)).get('FN')).toBe(name);
  });

  test('gives back any name and organisation, whatever is in it', () => {
    const words = fc.string({ minLength: 1, maxLength: 255, unit: 'binary' });
    fc.assert(
      fc.property(words, words, (full_name, organization) => {
        const found = properties(vcard({ full_name, phone_number: '4912345678', organization }));
        const plain = (value: string) => value.replace(/\r\n?/g, '\n').replace(/(?!\n)\p{Cc}/gu, '');
        expect(found).toHaveLength(7);
        expect(unescaped(new Map(found).get('FN') ?? '')).toBe(plain(full_name));
        expect(unescaped(new Map(found).get('ORG') ?? '')).toBe(plain(organization));
      }),
    );
  });
});
