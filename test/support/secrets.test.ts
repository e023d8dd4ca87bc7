import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Secrets } from './secrets.ts';

const key = Buffer.from('00f0e1d2c3b4a5968778695a4b3c2d1e0ffbfefcfaf8f6f4f2f0eeecaae8e6e4', 'hex');
const text = 'Meet me at "noon" & be quiet';

const secrets = new Secrets();
secrets.addBytes('key', key);
secrets.addText('text', text);

it.each([
  ['hex', key.toString('hex')],
  ['hex in capitals', key.toString('hex').toUpperCase()],
  ['base64', key.toString('base64')],
  ['base64url', key.toString('base64url')],
  ['base64 of something longer', Buffer.concat([Buffer.from('a'), key, Buffer.from('bc')]).toString('base64')],
  ['base64url of something longer', Buffer.concat([Buffer.from('ab'), key, Buffer.from('c')]).toString('base64url')],
  ['what console prints', inspect({ private: key })],
  ['what console prints of an array', inspect({ private: new Uint8Array(key) })],
  ['what console prints, in a line of JSON', JSON.stringify({ msg: inspect({ private: new Uint8Array(key) }) })],
  ['JSON of a Buffer', JSON.stringify({ key })],
  ['JSON of an array', JSON.stringify({ key: new Uint8Array(key) })],
  ['JSON of an array within JSON', JSON.stringify({ msg: JSON.stringify(new Uint8Array(key)) })],
])('finds a key as %s', (_, printed) => {
  expect(secrets.foundIn(`before ${printed} after`)).toEqual(['key']);
});

it.each([
  ['itself', text],
  ['JSON', JSON.stringify({ text })],
  ['part of a link', `https://example.com/?q=${encodeURIComponent(text)}`],
  ['bytes', inspect(Buffer.from(text))],
])('finds a text as %s', (_, printed) => {
  expect(secrets.foundIn(printed)).toEqual(['text']);
});

it('finds nothing where nothing is, and takes nothing that it could not tell from the rest', () => {
  expect(secrets.foundIn(JSON.stringify({ msg: 'Meet me at noon', key: key.subarray(0, 5).toString('hex') }))).toEqual([]);
  expect(secrets.count).toBe(2);
  expect(() => secrets.addText('short', 'abc')).toThrow('too short');
  expect(() => secrets.addBytes('short', Buffer.alloc(3))).toThrow('too short');
});
