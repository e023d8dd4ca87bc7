import { expect, it } from 'vitest';
import { unwrappedTexts } from '../../scripts/unwrapped.ts';

const string = (value: string) => ({ type: 'StringLiteral', value });
const attribute = (name: string, value: string) => ({
  type: 'JSXAttribute',
  name: { type: 'Identifier', value: name },
  value: string(value),
});
const call = (name: string, ...all: object[]) => ({
  type: 'CallExpression',
  callee: { type: 'Identifier', value: name },
  arguments: all.map((expression) => ({ expression })),
});

it.each([
  ['a text between tags', { type: 'JSXText', value: '\n  of ' }, ['of']],
  ['an attribute', attribute('aria-label', 'Kind of message'), ['Kind of message']],
  ['one word', attribute('title', 'Health'), ['Health']],
  ['a sentence put together', { type: 'TemplateLiteral', quasis: [{ cooked: 'Edit ' }, { cooked: '' }], expressions: [] }, ['Edit {}']],
  [
    'a text of a table',
    { type: 'KeyValueProperty', key: { type: 'Identifier', value: 'ok' }, value: string('All is well') },
    ['All is well'],
  ],
  ['what another function is told', call('show', string('Not sent')), ['Not sent']],
  ['a text that is said', call('t', string('Not sent')), []],
  [
    'an error for programmers',
    { type: 'NewExpression', callee: { type: 'Identifier', value: 'Error' }, arguments: [string('no such thing')] },
    [],
  ],
  ['a name', string('Messaging Gateway'), []],
  ['a code', string('provider_admin'), []],
  ['an address', { type: 'TemplateLiteral', quasis: [{ cooked: '/numbers/' }, { cooked: '/status' }], expressions: [] }, []],
  ['the name of a property', { type: 'KeyValueProperty', key: string('Content-Type'), value: string('x') }, []],
])('what nothing translates is found: %s', (_, node, found) => {
  expect(unwrappedTexts({ type: 'Module', body: [node] })).toEqual(found);
});
