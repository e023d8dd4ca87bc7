import { expect, test } from 'vitest';
import { failureOf } from '../../web/src/parts/sends/failure-words.ts';

const send = { code: 'invalid_recipient', message_type: 'text' } as const;

test.each([
  ['that is no phone number', null, 'Not a phone number'],
  ['that the network does not have', '551190901821001', 'Recipient not reachable'],
])('a recipient %s has words of its own', (_, recipient, short) => {
  expect(failureOf({ ...send, recipient }).short).toBe(short);
});
