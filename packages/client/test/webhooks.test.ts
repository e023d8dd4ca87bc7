import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../src/index.ts';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const body = JSON.stringify({ type: 'messages', timestamp: '2026-01-15T09:30:00Z', data: { events: [] }, text: 'ü' });

// client.test.ts has what is refused.
test('takes bytes and Headers, and its event has the type of its kind', async () => {
  const at = new Date();
  const headers = new Headers({
    ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) },
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  });
  const event = await verifyWebhook(new TextEncoder().encode(body), headers, secret);
  expect(event.type === 'messages' && event.data.events).toEqual([]);
});
