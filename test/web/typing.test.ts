import { expect, test } from 'vitest';
import { typing } from '../../web/src/search/typing.ts';

const alone = { ctrlKey: false, metaKey: false, altKey: false };
const typed = (...keys: readonly string[]) => keys.reduce((text, key) => typing({ ...alone, key })?.(text) ?? text, '');

test('what is typed before a field is there is kept as the field would have it', () => {
  expect(typed('P', 'l', 'é', ' ', '🙂', 'Backspace', 'x', 'Enter', 'ArrowDown')).toBe('Plé x');
});

test.each([
  ['with Ctrl', { ctrlKey: true }],
  ['with the command key', { metaKey: true }],
  ['with Alt', { altKey: true }],
])('a key %s is no text', (_, modifiers) => {
  expect(typing({ ...alone, ...modifiers, key: 'k' })).toBeNull();
});

test('a letter made with AltGr is text, also where that is Ctrl and Alt', () => {
  expect(typing({ ...alone, ctrlKey: true, altKey: true, key: '@' })?.('a')).toBe('a@');
});
