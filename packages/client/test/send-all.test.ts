import { describe, expect, test } from 'vitest';
import { Gateway, isApiError } from '../src/index.ts';
import { collect } from './collect.ts';

const requestId = '01936a61-03d4-7e55-8a90-6b1c2d3e4f50';
const instance_id = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: 'text' as const, instance_id, to: `${4917000000 + index}`, text: 'x' }));

interface Asked {
  readonly key: string;
  readonly to: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client of a gateway that is only answers: what is left of its limit, and a refusal for some recipients. */
function scripted({ limit = 1000, refuse = () => null }: { limit?: number; refuse?: (to: string) => [number, string] | null } = {}) {
  const asked: Asked[] = [];
  let used = 0;
  let most = 0;
  let now = 0;
  const gateway = new Gateway({
    baseUrl: 'https://gateway.example.com',
    async fetch(_url, init) {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      const body = JSON.parse(String(init.body)) as Asked & Record<string, unknown>;
      asked.push({ key: new Headers(init.headers).get('idempotency-key') ?? '', to: body.to, body });
      const refused = refuse(body.to);
      used += 1;
      // One second later the window is empty again.
      if (used >= limit) setTimeout(() => (used = 0), 900);
      const headers = {
        ...{ 'x-ratelimit-scope': 'messages', 'x-ratelimit-limit': String(limit), 'idempotency-replayed': 'false' },
        ...{ 'x-ratelimit-remaining': String(Math.max(0, limit - used)), 'x-ratelimit-reset': '1' },
      };
      if (used > limit)
        return answer(429, { success: false, error: { code: 'rate_limit_exceeded', message: '' }, request_id: requestId }, headers);
      if (refused !== null) {
        const [status, code] = refused;
        return answer(status, { success: false, error: { code, message: '' }, request_id: requestId }, headers);
      }
      return answer(200, { success: true, data: { to: body.to, message_id: 'A' }, request_id: requestId }, headers);
    },
  });
  return { gateway, asked, most: () => most };
}

function answer(status: number, body: object, headers: Record<string, string>): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

describe('sendAll', () => {
  test('keeps under the limit: no request is refused for it', async () => {
    const { gateway, asked } = scripted({ limit: 10 });
    const began = performance.now();
    const sent = await collect(gateway.sendAll(texts(25), { job: 'newsletter' }));
    expect(sent).toHaveLength(25);
    expect(asked).toHaveLength(25);
    expect(performance.now() - began).toBeGreaterThan(1800);
  });

  test('sends as many at once as is wished, each with the key of its job and id, without what is not of the message', async () => {
    const { gateway, asked, most } = scripted();
    const messages = texts(20).map((message, index) => ({ ...message, id: `order-${index}` }));
    await collect(gateway.sendAll(messages, { job: 'shipped', concurrency: 4 }));
    expect(most()).toBe(4);
    expect(asked.map(({ key }) => key).toSorted()).toEqual(messages.map(({ id }) => `shipped:${id}`).toSorted());
    expect(asked[0]?.body).toEqual({ instance_id, to: '4917000000', text: 'x' });
  });

  test('goes on after a recipient that is refused, and gives the reason', async () => {
    const { gateway } = scripted({ refuse: (to) => (to === '4917000003' ? [422, 'invalid_recipient'] : null) });
    const sent = await collect(gateway.sendAll(texts(10), { job: 'newsletter' }));
    expect(sent).toHaveLength(10);
    expect(sent.filter(({ error }) => error !== null)).toMatchObject([
      { message: { to: '4917000003' }, error: { code: 'invalid_recipient' } },
    ]);
  });

  test('stops at what concerns all, and resumes without what is done', async () => {
    let linked = false;
    const { gateway, asked } = scripted({ refuse: (to) => (!linked && to === '4917000005' ? [409, 'instance_not_connected'] : null) });
    const done = new Set<string>();
    const ended: string[] = [];
    const run = async () => {
      for await (const { message } of gateway.sendAll(texts(10), { job: 'newsletter', concurrency: 1, done })) ended.push(message.to);
    };
    const error = await run().catch((reason: unknown) => reason);
    expect(isApiError(error, 'instance_not_connected')).toBe(true);
    expect(ended).toHaveLength(5);
    linked = true;
    await run();
    expect(ended).toHaveLength(10);
    expect(asked.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9].map((place) => `newsletter:${place}`));
  });

  test('sends nothing under a name that cannot be a key', async () => {
    const { gateway, asked } = scripted();
    await expect(collect(gateway.sendAll(texts(3), { job: 'an offer' }))).rejects.toThrow('an offer:0 must be 8 to 255 of');
    expect(asked).toEqual([]);
  });

  test('awaits what is on its way when its reader leaves', async () => {
    const { gateway, asked } = scripted();
    const done = new Set<string>();
    for await (const _ of gateway.sendAll(texts(50), { job: 'newsletter', done })) break;
    expect(done.size).toBe(asked.length);
  });
});
