import { describe, expect, it } from 'vitest';
import { updateAccount, updatePlan } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

/** One send in the making: everything a stage can find fault with. */
interface Attempt {
  readonly customer: Customer;
  readonly plan: string;
  readonly unlinked: string;
  key: string | null;
  idempotencyKey: string | null;
  body: Record<string, unknown>;
  /** Made of the body at the end. */
  shape: ((text: string) => string)[];
}

/** A stage of decisions §2: what it answers, and how a request comes to fail there. */
interface Stage {
  readonly name: string;
  readonly expected: string;
  /** What tells its answer from another stage's with the same code. */
  readonly field?: string | undefined;
  readonly fault: (attempt: Attempt) => unknown;
}

describe('a send that fails at several stages answers the first one', () => {
  const { gateway, files } = useGateway();

  const change = ({ customer }: Attempt, changes: Parameters<typeof updateAccount>[2]) =>
    updateAccount(gateway.app.store, customer.accountId, changes, at(Date.now()));

  const stages: Stage[] = [
    { name: 'no key', expected: '401 missing_api_key', fault: (attempt) => Object.assign(attempt, { key: null }) },
    { name: 'unknown key', expected: '401 invalid_api_key', fault: (attempt) => Object.assign(attempt, { key: 'mgw_abcdefgh_unknown' }) },
    { name: 'suspended', expected: '403 account_suspended', fault: (attempt) => change(attempt, { status: 'suspended' }) },
    { name: 'access period', expected: '403 access_expired', fault: (attempt) => change(attempt, { accessEndsAt: 1 }) },
    { name: 'plan', expected: '402 subscription_expired', fault: (attempt) => change(attempt, { planEndsAt: 1 }) },
    {
      name: 'rate limit',
      expected: '429 rate_limit_exceeded',
      fault: ({ plan }) => updatePlan(gateway.app.store, plan, { messagesPerMinute: 1 }, at(Date.now())),
    },
    {
      name: 'size',
      expected: '413 payload_too_large',
      fault: (attempt) => attempt.shape.unshift((text) => text.padEnd(131_073, ' ')),
    },
    { name: 'JSON', expected: '400 invalid_request', fault: (attempt) => attempt.shape.unshift((text) => `${text},`) },
    {
      name: 'form of the Idempotency-Key',
      expected: '400 invalid_request',
      field: 'Idempotency-Key',
      fault: (attempt) => Object.assign(attempt, { idempotencyKey: 'bad key' }),
    },
    { name: 'body', expected: '400 invalid_request', field: 'caption', fault: ({ body }) => Object.assign(body, { caption: 7 }) },
    {
      name: 'media link',
      expected: '400 invalid_media_url',
      field: 'url',
      fault: ({ body }) => Object.assign(body, { url: 'http://localhost/' }),
    },
    { name: 'recipient', expected: '422 invalid_recipient', field: 'to', fault: ({ body }) => Object.assign(body, { to: '0000' }) },
    {
      name: 'idempotency record',
      expected: '422 idempotency_key_reused',
      fault: (attempt) => Object.assign(attempt, { idempotencyKey: 'used-before' }),
    },
    {
      name: 'instance',
      expected: '404 instance_not_found',
      fault: ({ body }) => Object.assign(body, { instance_id: '0190a0a0-0000-7000-8000-000000000001' }),
    },
    {
      name: 'connected',
      expected: '409 instance_not_connected',
      fault: ({ body, unlinked }) => Object.assign(body, { instance_id: unlinked }),
    },
    { name: 'trial quota', expected: '403 trial_quota_exceeded', fault: () => undefined },
    { name: 'media', expected: '422 media_fetch_failed', fault: ({ body }) => Object.assign(body, { url: files.url('/missing.jpg') }) },
    { name: 'network', expected: '422 invalid_recipient', fault: ({ body }) => Object.assign(body, { to: '491701230000' }) },
  ];
  const trialStage = stages.findIndex((stage) => stage.name === 'trial quota');

  /** A send that nothing is wrong with, but for the trial if that is exhausted; the key `used-before` has been used with another body. */
  async function attemptOf(exhausted: boolean): Promise<Attempt> {
    const plan = await gateway.plan({ trialMessages: exhausted ? 1 : 5 });
    const customer = await gateway.customer({ plan });
    const instance_id = await customer.linked();
    const unlinked = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    const first = await customer.send('text', { instance_id, to: '491701234567', text: 'First' }, { 'idempotency-key': 'used-before' });
    expect(outcome(first)).toBe('200');
    const body = { instance_id, to: '491701234567', url: files.serve('/picture.jpg') };
    return { customer, plan, unlinked, key: customer.key, idempotencyKey: 'fresh-key', body, shape: [] };
  }

  function send(attempt: Attempt): Promise<Answer> {
    const { key, idempotencyKey, shape } = attempt;
    return gateway.call('POST', '/v1/messages/image', {
      ...(key === null ? {} : { key }),
      headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
      body: shape.reduceRight((text, step) => step(text), JSON.stringify(attempt.body)),
    });
  }

  it('and nothing is wrong with it before [order.stages]', async () => {
    expect(outcome(await send(await attemptOf(false)))).toBe('200');
  });

  it.each(stages.map((stage, place) => ({ ...stage, place })))(
    '$name: $expected [idem.header order.stages order.before-body idem.header-place]',
    async ({ place, expected, field }) => {
      const attempt = await attemptOf(place <= trialStage);
      // The last one first: where two cannot be wrong at once, the earlier has the last word.
      for (const stage of stages.slice(place).reverse()) await stage.fault(attempt);
      const answer = await send(attempt);
      expect(outcome(answer)).toBe(expected);
      if (field !== undefined) expect(answer.body.error.details.field).toBe(field);
      // Behind the limiter, and only there, a send path speaks of idempotency.
      expect(answer.headers.get('idempotency-replayed')).toBe(place > 5 ? 'false' : null);
      expect(answer.headers.get('x-ratelimit-scope')).toBe(place >= 5 ? 'messages' : null);
    },
  );

  it('the network that does not answer comes last: 502 upstream_unavailable [errors.upstream order.stages]', async () => {
    const attempt = await attemptOf(false);
    attempt.body.to = '491701230001';
    expect(outcome(await send(attempt))).toBe('502 upstream_unavailable');
    attempt.body.url = files.url('/missing.jpg');
    expect(outcome(await send(attempt))).toBe('422 media_fetch_failed');
  });
});
