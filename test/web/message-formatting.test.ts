import { describe, expect, test } from 'vitest';
import { type Piece, parseFormatting } from '../../web/src/pages/sandbox-phone/formatting/parse.ts';

/** The pieces as short text: [bold …], [italic …], [strike …], [mono …], [link …]. */
function told(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      switch (piece.kind) {
        case 'text':
          return piece.text;
        case 'link':
          return `[link ${piece.url}]`;
        default:
          return `[${piece.kind} ${told(piece.inside)}]`;
      }
    })
    .join('');
}

describe('the formatting of a message', () => {
  test.each([
    ['*Order 1042* is _on its way_', '[bold Order 1042] is [italic on its way]'],
    ['~gone~, *~both~* and ```a *b*\n c```', '[strike gone], [bold [strike both]] and [mono a *b*\n c]'],
    ['*a _b ~c~ b_ a*', '[bold a [italic b [strike c] b] a]'],
    ['(*bold*), "_italic_"!', '([bold bold]), "[italic italic]"!'],
  ])('%j', (text, expected) => {
    expect(told(parseFormatting(text))).toBe(expected);
  });

  test.each([
    '2 * 3 * 4 = 24',
    'snake_case_name and 5*6*7',
    '*not\nover lines*',
    '* not*, *not *',
    '**, __, ~~, ``````',
    '*open _open ~open ```open',
    '',
  ])('marks without a partner stay: %j', (text) => {
    expect(told(parseFormatting(text))).toBe(text);
  });

  test.each([
    ['See https://example.com/a_b_c?d=*e*&f=1.', 'See [link https://example.com/a_b_c?d=*e*&f=1].'],
    ['*https://example.com* (http://example.com/x)', '[bold [link https://example.com]] ([link http://example.com/x])'],
    ['javascript:alert(1) data:text/html,x https:// file:///etc', 'javascript:alert(1) data:text/html,x https:// file:///etc'],
    ['https://example.com/"onmouseover=alert(1)', '[link https://example.com/]"onmouseover=alert(1)'],
    ['```https://example.com```', '[mono https://example.com]'],
  ])('web addresses and nothing else are links: %j', (text, expected) => {
    expect(told(parseFormatting(text))).toBe(expected);
  });
});
