import { beforeAll, expect, test } from 'vitest';
import { type SearchIndex, search } from '../../src/http/docs/page/search.ts';
import { useGateway } from '../support/use-gateway.ts';

const { gateway } = useGateway();
let index: SearchIndex;
beforeAll(async () => {
  const { headers, body } = await gateway.call('GET', '/docs/search.json');
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  index = body;
});

test.each([
  // Words that the reference does not use, or uses everywhere.
  ['twice', 'retrying-safely'],
  ['duplicates', 'retrying-safely'],
  ['webhook', 'webhooks'],
  ['callback', 'webhooks'],
  ['delivered', 'messagesWebhook'],
  ['receipts', 'messagesWebhook'],
  // Prose.
  ['poll until', 'first-steps'],
  ['device of its recipient', 'messagesWebhook'],
  // Titles, paths and codes.
  ['send a text', 'sendText'],
  ['/v1/messages/poll', 'sendPoll'],
  ['media_fetch', 'error-media_fetch_failed'],
  ['429', 'error-rate_limit_exceeded'],
  ['webhook-signature', 'webhooks'],
])('a search for "%s" finds #%s first', (typed, id) => {
  expect(search(index, typed)[0]?.id).toBe(id);
});

test.each(['reply', 'replies', 'rep'])('a search for "%s" finds the field that quotes a message, once', (typed) => {
  const found = search(index, typed).slice(0, 12);
  expect(found.filter(({ title }) => title === 'quoted_message_id')).toHaveLength(1);
});

test('a search for "reply" finds how to reply first', () => {
  expect(search(index, 'reply')[0]?.title).toBe('quoted_message_id');
});

test('every word has to be there', () => {
  expect(search(index, 'webhook nothing-of-the-kind')).toEqual([]);
  expect(search(index, ' ')).toEqual([]);
  expect(search(index, 'image caption').map(({ id }) => id)).not.toContain('sendText');
});

test('everything that can be found is on the page, and every synonym leads somewhere', async () => {
  const { body: page } = await gateway.call('GET', '/docs');
  const missing = index.entries.filter(({ id }) => !page.includes(` id="${id}"`));
  expect(missing).toEqual([]);
  for (const word of Object.keys(index.synonyms)) expect([word, search(index, word).length > 0]).toEqual([word, true]);
});
