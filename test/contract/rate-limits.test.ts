import { describe, expect, it } from 'vitest';
import { createKey, updatePlan } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

const names = ['x-ratelimit-scope', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];

/** The rate limit headers of an answer: scope, limit, remaining, reset, and Retry-After where there is one. */
function limits({ headers }: Answer): string {
  return names.map((name) => headers.get(name) ?? '-').join(' ');
}

describe('rate limits', () => {
  const clock = createManualClock();
  const { gateway } = useGateway({ overrides: { clock } });

  /** A customer whose plan allows this many requests of the scope `messages`, with a linked number. */
  async function limitedTo(messagesPerMinute: number) {
    const plan = await gateway.plan({ messagesPerMinute });
    const customer = await gateway.customer({ plan });
    return { plan, customer, instance_id: await customer.linked() };
  }
  const check = (customer: Customer, instance_id: string) =>
    customer.call('POST', '/v1/numbers/check', { instance_id, numbers: ['491701234567'] });
  const text = (customer: Customer, instance_id: string) => customer.send('text', { instance_id, to: '491701234567', text: 'Hello' });

  it('count every message path and numbers/check against one budget, and say so on every answer [limits.send-headers limits.messages]', async () => {
    const { customer, instance_id } = await limitedTo(5);
    const to = '491701234567';
    expect(limits(await text(customer, instance_id))).toBe('messages 5 4 60 -');
    expect(limits(await check(customer, instance_id))).toBe('messages 5 3 60 -');
    expect(limits(await customer.send('location', { instance_id, to, latitude: 1, longitude: 2 }))).toBe('messages 5 2 60 -');
    const invalid = await customer.send('poll', {});
    expect([outcome(invalid), limits(invalid)]).toEqual(['400 invalid_request', 'messages 5 1 60 -']);
    expect(limits(await check(customer, instance_id))).toBe('messages 5 0 60 -');
    for (const answer of [await text(customer, instance_id), await check(customer, instance_id), await customer.send('sticker', {})]) {
      expect(outcome(answer)).toBe('429 rate_limit_exceeded');
      expect(limits(answer)).toBe('messages 5 0 60 60');
    }
  });

  it('are on failures of every kind behind the limiter [limits.headers]', async () => {
    const { customer, instance_id } = await limitedTo(20);
    const text = { instance_id, to: '491701234567', text: 'Hello' };
    const cases: [string, () => Promise<Answer>][] = [
      ['413 payload_too_large', () => customer.send('text', { ...text, pad: 'x'.repeat(131_072) })],
      ['400 invalid_request', () => customer.call('POST', '/v1/messages/text', '{')],
      ['400 invalid_media_url', () => customer.send('image', { ...text, url: 'http://127.0.0.1/' })],
      ['404 instance_not_found', () => customer.send('text', { ...text, instance_id: '0190a0a0-0000-7000-8000-000000000001' })],
      ['422 invalid_recipient', () => customer.send('text', { ...text, to: '491701230000' })],
      ['502 upstream_unavailable', () => customer.send('text', { ...text, to: '491701230001' })],
    ];
    for (const [i, [expected, call]] of cases.entries()) {
      const answer = await call();
      expect([outcome(answer), limits(answer)]).toEqual([expected, `messages 20 ${19 - i} 60 -`]);
    }
  });

  it('are absent where no limiter was reached [limits.not-reached sandbox.limits]', async () => {
    const { customer } = await limitedTo(5);
    const none = '- - - - -';
    expect(limits(await gateway.call('GET', '/health'))).toBe(none);
    expect(limits(await gateway.call('GET', '/nowhere', { key: customer.key }))).toBe(none);
    expect(limits(await gateway.call('POST', '/v1/messages/text', { body: {} }))).toBe(none);
    expect(limits(await gateway.call('POST', '/v1/messages/text', { key: 'mgw_unknown', body: {} }))).toBe(none);
    for (const terms of [{ status: 'suspended' }, { accessEndsAt: 1 }, { plan: null }, { planEndsAt: 1 }] as const) {
      expect(limits(await (await gateway.customer(terms)).send('text', {}))).toBe(none);
    }
    expect(limits(await customer.call('POST', '/sandbox/unlink', { phone_number: '491701234567' }))).toBe(none);
  });

  it('slide: each request makes room again 60 seconds after itself [limits.minute limits.values limits.remaining limits.sliding limits.reset]', async () => {
    const { customer, instance_id } = await limitedTo(2);
    expect(limits(await text(customer, instance_id))).toBe('messages 2 1 60 -');
    clock.advance(20_000);
    expect(limits(await text(customer, instance_id))).toBe('messages 2 0 40 -');
    clock.advance(39_999);
    const refused = await text(customer, instance_id);
    expect([outcome(refused), limits(refused)]).toEqual(['429 rate_limit_exceeded', 'messages 2 0 1 1']);
    clock.advance(1);
    expect(limits(await text(customer, instance_id))).toBe('messages 2 0 20 -');
    expect(outcome(await text(customer, instance_id))).toBe('429 rate_limit_exceeded');
    clock.advance(20_000);
    expect(limits(await text(customer, instance_id))).toBe('messages 2 0 40 -');
  });

  it('tell on a 429 what to do, and do not count it [limits.exceeded limits.retry-after limits.admitted]', async () => {
    const { customer, instance_id } = await limitedTo(1);
    await text(customer, instance_id);
    clock.advance(12_500);
    for (let i = 0; i < 3; i++) {
      const refused = await text(customer, instance_id);
      expect(outcome(refused)).toBe('429 rate_limit_exceeded');
      expect(refused.body.error.details).toEqual({ retry_after_seconds: 48, limit_per_minute: 1, scope: 'messages' });
      expect(refused.headers.get('retry-after')).toBe('48');
      expect(refused.headers.get('x-ratelimit-reset')).toBe('48');
    }
    // Waiting as long as it was told is enough, however often it was asked meanwhile.
    clock.advance(48_000);
    expect(outcome(await text(customer, instance_id))).toBe('200');
  });

  it('are each key’s own [limits.minute]', async () => {
    const { customer, instance_id } = await limitedTo(1);
    const { key } = await createKey(gateway.app.store, customer.accountId, { label: null }, at(clock.now()));
    expect(outcome(await text(customer, instance_id))).toBe('200');
    expect(outcome(await text(customer, instance_id))).toBe('429 rate_limit_exceeded');
    const body = { instance_id, to: '491701234567', text: 'Hello' };
    const other = await gateway.call('POST', '/v1/messages/text', { key, body });
    expect([outcome(other), limits(other)]).toEqual(['200', 'messages 1 0 60 -']);
  });

  it('keep the two scopes apart [limits.scopes limits.sliding]', async () => {
    const { customer, instance_id } = await limitedTo(1);
    await text(customer, instance_id);
    expect(outcome(await text(customer, instance_id))).toBe('429 rate_limit_exceeded');
    // Linking the number took one request.
    expect(limits(await customer.call('GET', '/v1/instances'))).toBe('instances 120 118 60 -');
  });

  it('allow 120 requests to instances a minute, whatever the endpoint and the plan [instances.limits]', async () => {
    const customer = await gateway.customer({ plan: null });
    const unknown = '/v1/instances/0190a0a0-0000-7000-8000-000000000001';
    const calls = [
      ['GET', '/v1/instances'],
      ['GET', `${unknown}/status`],
      ['GET', `${unknown}/qr`],
      ['GET', `${unknown}/qr-status`],
      ['GET', `${unknown}/passkey`],
      ['PATCH', unknown],
      ['DELETE', unknown],
    ] as const;
    for (let i = 0; i < 120; i++) {
      const [method, path] = calls[i % calls.length] ?? calls[0];
      const answer = await customer.call(method, path);
      expect([answer.status < 429, limits(answer)]).toEqual([true, `instances 120 ${119 - i} 60 -`]);
    }
    for (const [method, path] of calls) {
      const refused = await customer.call(method, path);
      expect([outcome(refused), limits(refused)]).toEqual(['429 rate_limit_exceeded', 'instances 120 0 60 60']);
      expect(refused.body.error.details).toEqual({ retry_after_seconds: 60, limit_per_minute: 120, scope: 'instances' });
    }
  });

  it('come from the plan as it is now [limits.plan]', async () => {
    const { plan, customer, instance_id } = await limitedTo(2);
    await text(customer, instance_id);
    clock.advance(10_000);
    await text(customer, instance_id);
    await updatePlan(gateway.app.store, plan, { messagesPerMinute: 3 }, at(clock.now()));
    expect(limits(await text(customer, instance_id))).toBe('messages 3 0 50 -');
    await updatePlan(gateway.app.store, plan, { messagesPerMinute: 1 }, at(clock.now()));
    // Of the three counted ones, all must age out before there is room.
    expect(limits(await text(customer, instance_id))).toBe('messages 1 0 60 60');
  });

  it('hold when many requests come at once [limits.admitted]', async () => {
    const { customer, instance_id } = await limitedTo(30);
    const answers = await Promise.all(Array.from({ length: 80 }, () => text(customer, instance_id)));
    const admitted = answers.filter((answer) => outcome(answer) === '200');
    expect(admitted).toHaveLength(30);
    const left = admitted.map((answer) => Number(answer.headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: 30 }, (_, i) => i));
    expect(await customer.received('491701234567')).toHaveLength(30);
  });
});
