import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, accepts, refuse } from './bodies.ts';

const message_id = '3EB0C767D097B7C1A2F4';
const takes = (emoji: string) => accepts('reaction', { message_id, emoji });

/** Every emoji the standard recommends that is one code point, alone, with U+FE0F, as a keycap, or with a skin tone; and every flag. */
function recommended(): string[] {
  const found: string[] = [];
  const consider = (text: string): void => {
    if (/^\p{RGI_Emoji}$/v.test(text)) found.push(text);
  };
  for (let point = 0; point <= 0x1ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const base = String.fromCodePoint(point);
    for (const ending of ['', '\ufe0f', '\ufe0f\u20e3', '🏻', '🏿']) consider(base + ending);
  }
  for (let first = 0; first < 26; first++) {
    for (let second = 0; second < 26; second++) consider(String.fromCodePoint(0x1f1e6 + first, 0x1f1e6 + second));
  }
  return found;
}

describe('emoji', () => {
  test('takes every recommended one, also when U+FE0F was dropped [reaction.emoji]', () => {
    const all = recommended();
    expect(all.length).toBeGreaterThan(1500);
    expect(all.filter((emoji) => !takes(emoji))).toEqual([]);
    expect(all.filter((emoji) => !takes(emoji.replaceAll('\ufe0f', '')))).toEqual([]);
  });

  test.each([
    '👍',
    '❤️',
    '❤',
    '👍🏽',
    '1️⃣',
    '#⃣',
    '🇩🇪',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '👨‍👩‍👧‍👦',
    '👨‍❤️‍💋‍👨',
    '👨‍❤‍💋‍👨',
    '🏳️‍⚧️',
    '🏳‍🌈',
    '👁‍🗨',
    '⛹🏿‍♀',
    '🕵🏽‍♂️',
    '🧑🏽‍🤝‍🧑🏿',
    '©',
  ])('takes %s and keeps it as it is', (emoji) => {
    expect(accept('reaction', { message_id, emoji })).toEqual({ message_id, emoji, from_me: false });
  });

  test('an empty string removes a reaction', () => {
    expect(accept('reaction', { message_id, emoji: '', from_me: true })).toEqual({ message_id, emoji: '', from_me: true });
  });

  test.each([
    'a',
    '1',
    '#',
    ':-)',
    ' ',
    '👍 ',
    ' 👍',
    '👍👍',
    '👍a',
    '🇦🇦',
    '🇩',
    '🇩\ufe0f🇪',
    '\ufe0f',
    '\ufe0f👍',
    '❤\ufe0f\ufe0f',
    '❤\ufe0e',
    '\u200d',
    '👨\u200d',
    '👨\u200d\ufe0f👩',
    '\u20e3',
    'é',
    '漢',
    '\ud83d',
    '👨‍'.repeat(12),
    '👍'.repeat(60000),
  ])('refuses %j', (emoji) => {
    expect(refuse('reaction', { message_id, emoji })).toEqual([
      {
        field: 'emoji',
        message: 'emoji must be a single emoji without spaces, at most 24 characters, or an empty string to remove a reaction',
      },
    ]);
  });

  test('property: what is taken is one grapheme cluster without spaces, of at most 24 code points [reaction.emoji]', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const pieces = fc.constantFrom(
      '👍',
      '❤',
      '\ufe0f',
      '\u200d',
      '🏽',
      '🇩',
      '🇪',
      '1',
      '\u20e3',
      ' ',
      'a',
      '👨',
      '👩',
      '👧',
      '🏴',
      '☠',
      '\u{e0067}',
      '\u{e007f}',
    );
    let taken = 0;
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 6 }), (parts) => {
        const emoji = parts.join('');
        if (!takes(emoji)) return;
        taken++;
        expect([...segmenter.segment(emoji)]).toHaveLength(1);
        expect([...emoji].length).toBeLessThanOrEqual(24);
        expect(emoji).not.toMatch(/\s/);
        expect(emoji).toMatch(/\p{Emoji}/u);
      }),
      { numRuns: 5000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});

describe('message_id', () => {
  test.each(['A', 'aZ09_=+/-', 'x'.repeat(128)])('takes %s [reaction.message-id]', (id) => {
    expect(accept('reaction', { message_id: id, emoji: '👍' })).toMatchObject({ message_id: id });
  });

  test.each(['', ' ', 'a b', 'a.b', 'a:b', 'ä', 'a\n', 'x'.repeat(129)])('refuses %j [reaction.message-id]', (id) => {
    expect(refuse('reaction', { message_id: id, emoji: '👍' })).toEqual([
      { field: 'message_id', message: 'message_id must be 1 to 128 characters: letters, digits, _, =, +, / and - only' },
    ]);
  });
});

test.each([null, 'true', 1])('from_me is a boolean, not %j', (from_me) => {
  expect(refuse('reaction', { message_id, emoji: '👍', from_me })).toEqual([{ field: 'from_me', message: 'from_me must be a boolean' }]);
});
