import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '../src/index.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const other = `whsec_${Buffer.from('another one').toString('base64')}`;
const body = JSON.stringify({ type: 'messages', timestamp: '2026-01-15T09:30:00Z', data: { events: [] }, text: 'ü' });

/** The headers that the standard's own library makes. */
function signed(by = secret, at = new Date()): Record<string, string> {
  return {
    ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) },
    'webhook-signature': new Webhook(by).sign('msg_1', at, body),
  };
}

const refusal = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

test('takes what is signed, from any source of headers, as text or bytes, and while the secret is replaced', async () => {
  const event = await verifyWebhook(body, signed(), secret);
  expect(event.type === 'messages' && event.data.events).toEqual([]);
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(signed()), secret)).toEqual(event);
  expect(await verifyWebhook(body, signed(), [other, secret])).toEqual(event);
  const headers = signed();
  const both = {
    'Webhook-Id': headers['webhook-id'],
    'Webhook-Timestamp': headers['webhook-timestamp'],
    'Webhook-Signature': `v1,AAAA v1a,x ${headers['webhook-signature']}`,
  };
  expect(await verifyWebhook(body, both, secret)).toEqual(event);
});

test.each<[string, () => Promise<unknown>]>([
  ['another body', () => verifyWebhook(`${body} `, signed(), secret)],
  ['another secret', () => verifyWebhook(body, signed(other), secret)],
  ['another id', () => verifyWebhook(body, { ...signed(), 'webhook-id': 'msg_2' }, secret)],
  ['an old delivery', () => verifyWebhook(body, signed(secret, new Date(Date.now() - 301_000)), secret)],
  ['one of the future', () => verifyWebhook(body, signed(secret, new Date(Date.now() + 301_000)), secret)],
  ['no time', () => verifyWebhook(body, { ...signed(), 'webhook-timestamp': '' }, secret)],
  ['a time that is none', () => verifyWebhook(body, { ...signed(), 'webhook-timestamp': 'now' }, secret)],
  ['no signature', () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,' }, secret)],
  ['a signature that is none', () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,%%%' }, secret)],
  ['an empty secret', () => verifyWebhook(body, signed(), 'whsec_')],
  ['a secret that is none', () => verifyWebhook(body, signed(), 'whsec_%%%')],
  ['no secret', () => verifyWebhook(body, signed(), [])],
])('refuses %s', async (_, work) => {
  expect(await refusal(work())).toBeInstanceOf(WebhookError);
});
