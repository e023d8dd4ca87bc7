import { expect, test } from 'vitest';
import { MessageKeys } from '../../web/src/pages/send/message-keys.ts';

test('a content keeps its key until it is accepted and something else is sent', () => {
  const keys = new MessageKeys();
  const hello = keys.of('hello');
  expect(hello).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.of('hello')).toBe(hello);
  expect(keys.of('other')).not.toBe(hello);
  // Nobody knows whether it arrived, so coming back to it is another try.
  expect(keys.of('hello')).toBe(hello);
  keys.accepted('hello');
  expect(keys.of('hello')).toBe(hello);
  keys.of('other');
  expect(keys.of('hello')).not.toBe(hello);
});

test('who asks for it sends the same content as another message', () => {
  const keys = new MessageKeys();
  const first = keys.of('hello');
  keys.accepted('hello');
  keys.renew('hello');
  expect(keys.of('hello')).not.toBe(first);
});
