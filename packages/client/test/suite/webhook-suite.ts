import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Driver } from './driver.ts';

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

const ago = (seconds: number) => signed(secret, new Date(Date.now() - seconds * 1000));

/** Deliveries of webhooks, signed by the standard's own library. `refusal` is the class of the error. */
export function webhookSuite(driver: () => Driver, refusal: string): void {
  const verify = (words: Readonly<Record<string, unknown>>) => driver().run('verify', { body, headers: signed(), secret, ...words });

  describe('webhooks', () => {
    test('that are signed are taken, whatever the case of the headers, and while the secret is replaced', async () => {
      const event: unknown = JSON.parse(body);
      expect((await verify({})).result).toEqual(event);
      expect((await verify({ secret: [other, secret] })).result).toEqual(event);
      const headers = signed();
      const several = {
        'Webhook-Id': headers['webhook-id'],
        'Webhook-Timestamp': headers['webhook-timestamp'],
        'Webhook-Signature': `v1,AAAA v1a,x ${headers['webhook-signature']}`,
      };
      expect((await verify({ headers: several })).result).toEqual(event);
    });

    test.each<[string, () => Record<string, unknown>]>([
      ['another body', () => ({ body: `${body} ` })],
      ['another secret', () => ({ headers: signed(other) })],
      ['another id', () => ({ headers: { ...signed(), 'webhook-id': 'msg_2' } })],
      ['an old delivery', () => ({ headers: ago(301) })],
      ['one of the future', () => ({ headers: ago(-302) })],
      ['no time', () => ({ headers: { ...signed(), 'webhook-timestamp': '' } })],
      ['a time that is none', () => ({ headers: { ...signed(), 'webhook-timestamp': 'now' } })],
      ['no signature', () => ({ headers: { ...signed(), 'webhook-signature': 'v1,' } })],
      ['a signature that is none', () => ({ headers: { ...signed(), 'webhook-signature': 'v1,%%%' } })],
      ['an empty secret', () => ({ secret: 'whsec_' })],
      ['a secret that is none', () => ({ secret: 'whsec_%%%' })],
      ['no secret', () => ({ secret: [] })],
    ])('with %s are refused', async (_, words) => {
      expect((await verify(words())).error).toMatchObject({ type: refusal });
    });
  });
}
