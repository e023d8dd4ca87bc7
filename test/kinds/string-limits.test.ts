import { describe, expect, test } from 'vitest';
import type { MessageType } from '../../src/kinds/index.ts';
import { accept, accepts, astral, exampleOf, refuse } from './bodies.ts';

const button = { type: 'reply', text: 'Yes', id: 'yes' };
const row = { title: 'Row', row_id: 'row' };
const card = { full_name: 'Ada', phone_number: '442079460958' };

/** [kind, field in the contract's notation, minimum, maximum, the fields that hold the value]. */
const limits: [MessageType, string, number, number, (value: unknown) => object][] = [
  ['text', 'text', 1, 4096, (text) => ({ text })],
  ['image', 'caption', 0, 1024, (caption) => ({ caption })],
  ['document', 'caption', 0, 1024, (caption) => ({ caption })],
  ['document', 'filename', 0, 255, (filename) => ({ filename })],
  ['video', 'caption', 0, 1024, (caption) => ({ caption })],
  ['location', 'name', 0, 255, (name) => ({ name })],
  ['location', 'address', 0, 512, (address) => ({ address })],
  ['contact', 'contacts[1].full_name', 1, 255, (full_name) => ({ contacts: [card, { ...card, full_name }] })],
  ['contact', 'contacts[0].organization', 0, 255, (organization) => ({ contacts: [{ ...card, organization }] })],
  ['poll', 'question', 1, 255, (question) => ({ question })],
  ['poll', 'options[1]', 1, 100, (option) => ({ options: ['a', option] })],
  ['buttons', 'title', 1, 1024, (title) => ({ title })],
  ['buttons', 'description', 0, 1024, (description) => ({ description })],
  ['buttons', 'footer', 0, 60, (footer) => ({ footer })],
  ['buttons', 'buttons[0].text', 1, 24, (text) => ({ buttons: [{ ...button, text }] })],
  ['buttons', 'buttons[1].id', 1, 200, (id) => ({ buttons: [button, { ...button, id }] })],
  ['list', 'title', 1, 1024, (title) => ({ title })],
  ['list', 'button_text', 1, 24, (button_text) => ({ button_text })],
  ['list', 'description', 0, 1024, (description) => ({ description })],
  ['list', 'footer_text', 0, 60, (footer_text) => ({ footer_text })],
  ['list', 'sections[0].title', 1, 24, (title) => ({ sections: [{ title, rows: [row] }] })],
  ['list', 'sections[0].rows[0].title', 1, 24, (title) => ({ sections: [{ title: 'S', rows: [{ ...row, title }] }] })],
  ['list', 'sections[0].rows[1].row_id', 1, 200, (row_id) => ({ sections: [{ title: 'S', rows: [row, { ...row, row_id }] }] })],
  ['list', 'sections[0].rows[0].description', 1, 72, (description) => ({ sections: [{ title: 'S', rows: [{ ...row, description }] }] })],
];

describe.each(limits)('%s: %s is %i to %i characters', (type, field, min, max, body) => {
  const example = exampleOf(type);
  const expected = min === 0 ? `must be at most ${max} characters` : `must be ${min} to ${max} characters`;

  test.each([
    ['Latin', 'x'],
    ['astral', astral],
    ['three-byte', '漢'],
  ])('counted in code points: %s [text.code-points poll.question buttons.texts list.texts]', (_, character) => {
    expect(accepts(type, { ...example, ...body(character.repeat(max)) })).toBe(true);
    expect(refuse(type, { ...example, ...body(character.repeat(max + 1)) })).toEqual([{ field, message: `${field} ${expected}` }]);
    expect(accepts(type, { ...example, ...body(character.repeat(Math.max(min, 1))) })).toBe(true);
  });

  test('empty', () => {
    if (min === 0) expect(accepts(type, { ...example, ...body('') })).toBe(true);
    else expect(refuse(type, { ...example, ...body('') })).toEqual([{ field, message: `${field} ${expected}` }]);
  });

  test.each([null, 7, true, {}, ['x']])('not %j', (value) => {
    expect(refuse(type, { ...example, ...body(value) })).toEqual([{ field, message: `${field} must be a string` }]);
  });
});

describe('text', () => {
  test('must not be blank [text.length]', () => {
    for (const text of [' ', '\n\t ', '\u00a0\u2003']) {
      expect(refuse('text', { text })).toEqual([{ field: 'text', message: 'text must not be blank' }]);
    }
  });

  test('loses trailing whitespace and keeps leading whitespace', () => {
    expect(accept('text', { text: ' \n  *Hi*\n there \t\r\n\u00a0 ' })).toEqual({ text: ' \n  *Hi*\n there' });
  });

  test('is measured as it was sent, before trimming [text.whitespace]', () => {
    expect(accepts('text', { text: `${'x'.repeat(4095)} ` })).toBe(true);
    expect(refuse('text', { text: `${'x'.repeat(4096)} ` })).toEqual([{ field: 'text', message: 'text must be 1 to 4096 characters' }]);
  });

  test('only text refuses blanks: the contract asks it of no other field', () => {
    expect(accepts('poll', { question: ' ', options: [' ', '  '] })).toBe(true);
  });
});
