import { expect, test } from 'vitest';
import { ApiError } from '../../web/src/api/client.ts';
import { inPlainWords } from '../../web/src/pages/numbers/failure-words.ts';
import { failureOf } from '../../web/src/parts/sends/failure-words.ts';

const send = { code: 'invalid_recipient', message_type: 'text' } as const;

test.each([
  ['that is no phone number', null, 'Not a phone number'],
  ['that the network does not have', '551190901821001', 'Recipient not reachable'],
])('a recipient %s has words of its own', (_, recipient, short) => {
  expect(failureOf({ ...send, recipient }).short).toBe(short);
});

test("a failure in the page's own words is not marked as English, and keeps what support needs", () => {
  const failure = { status: 502, message: 'The network cannot be reached.', requestId: 'r' };
  const told = new ApiError({ ...failure, code: 'internal_error' });
  expect(told.translated).toBe(false);
  expect(inPlainWords(told)).toBe(told);
  expect(inPlainWords(new ApiError({ ...failure, code: 'upstream_unavailable' }))).toMatchObject({ translated: true, requestId: 'r' });
});
