import { describe, expect, it } from 'vitest';
import { createProvider, listKeys, revokeKey, updateAccount, updatePlan, updateProvider } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

describe('the checks of the account', () => {
  const clock = createManualClock();
  const { gateway } = useGateway({ overrides: { clock } });

  /** A customer with a plan and a provider of its own, so that both can be changed alone. */
  async function someone(): Promise<{ customer: Customer; plan: string; provider: string }> {
    const plan = await gateway.plan();
    const provider = await createProvider(gateway.app.store, { name: 'reseller' }, at(clock.now()));
    return { customer: await gateway.customer({ plan, providerId: provider.id }), plan, provider: provider.id };
  }
  type Someone = Awaited<ReturnType<typeof someone>>;
  const change = ({ customer }: Someone, changes: Parameters<typeof updateAccount>[2]) =>
    updateAccount(gateway.app.store, customer.accountId, changes, at(clock.now()));
  const text = { instance_id: '0190a0a0-0000-7000-8000-000000000001', to: '491701234567', text: 'Hello' };
  const send = ({ customer }: Someone) => customer.send('text', text);

  /** What can be wrong, in the contract's order of checks. */
  const faults: [string, string, (who: Someone) => Promise<unknown>][] = [
    [
      'the key is revoked',
      '401 invalid_api_key',
      async ({ customer }) => {
        const [key] = await listKeys(gateway.app.store, customer.accountId);
        await revokeKey(gateway.app.store, key?.id ?? '', at(clock.now()));
      },
    ],
    ['the account is suspended', '403 account_suspended', (who) => change(who, { status: 'suspended' })],
    [
      'the provider is suspended',
      '403 account_suspended',
      (who) => updateProvider(gateway.app.store, who.provider, { status: 'suspended' }, at(clock.now())),
    ],
    ['the access period has passed', '403 access_expired', (who) => change(who, { accessEndsAt: clock.now() })],
    ['the plan ran out', '402 subscription_expired', (who) => change(who, { planEndsAt: clock.now() })],
    [
      'the minute is used up',
      '429 rate_limit_exceeded',
      async (who) => {
        expect(outcome(await send(who))).toBe('404 instance_not_found');
        await updatePlan(gateway.app.store, who.plan, { messagesPerMinute: 1 }, at(clock.now()));
      },
    ],
  ];

  it('a clock set back to before the plan was given refuses nobody', async () => {
    const who = await someone();
    clock.setCalendar(-3_600_000);
    expect(outcome(await send(who))).toBe('404 instance_not_found');
    clock.setCalendar(3_600_000);
  });

  const pairs = faults.flatMap((first, i) => faults.slice(i + 1).map((second) => [first[0], second[0], first, second] as const));
  it.each(pairs)('%s hides: %s [access.order suspended.codes]', async (_first, _second, first, second) => {
    const who = await someone();
    // The later fault first, because some need a request that gets through.
    await second[2](who);
    expect(outcome(await send(who))).toBe(second[1]);
    await first[2](who);
    expect(outcome(await send(who))).toBe(first[1]);
  });

  it.each(faults)('%s: on numbers/check too', async (_, expected, fault) => {
    const who = await someone();
    await fault(who);
    expect(outcome(await who.customer.call('POST', '/v1/numbers/check', { instance_id: 'none', numbers: [] }))).toBe(expected);
  });

  describe('take effect on the next request and end on the next request', () => {
    it.each([
      ['a suspended account', '403 account_suspended', { status: 'suspended' }, { status: 'active' }],
      ['an access period', '403 access_expired', { accessEndsAt: 1 }, { accessEndsAt: null }],
      ['a plan that ran out', '402 subscription_expired', { planEndsAt: 1 }, { planEndsAt: null }],
      ['no plan', '402 no_active_subscription', { plan: null }, { plan: 'scale' }],
    ] as const)('%s [account.next-request]', async (_, expected, faulty, mended) => {
      const who = await someone();
      expect(outcome(await send(who))).toBe('404 instance_not_found');
      await change(who, faulty);
      expect(outcome(await send(who))).toBe(expected);
      await change(who, mended);
      expect(outcome(await send(who))).toBe('404 instance_not_found');
    });

    it('a suspended provider, for all its accounts and no other [suspended.codes]', async () => {
      const who = await someone();
      const sibling = await gateway.customer({ providerId: who.provider });
      const stranger = await gateway.customer();
      await updateProvider(gateway.app.store, who.provider, { status: 'suspended' }, at(clock.now()));
      expect(outcome(await sibling.call('GET', '/v1/instances'))).toBe('403 account_suspended');
      expect(outcome(await stranger.call('GET', '/v1/instances'))).toBe('200');
      await updateProvider(gateway.app.store, who.provider, { status: 'active' }, at(clock.now()));
      expect(outcome(await sibling.call('GET', '/v1/instances'))).toBe('200');
    });
  });

  it('are about now: access and plan end at their very millisecond [plan.needed access.expired]', async () => {
    const access = await someone();
    await change(access, { accessEndsAt: clock.now() + 1_000 });
    const plan = await someone();
    await change(plan, { planEndsAt: clock.now() + 1_000 });
    const outcomes = async () => Promise.all([access, plan].map(async (who) => outcome(await send(who))));

    clock.advance(999);
    expect(await outcomes()).toEqual(['404 instance_not_found', '404 instance_not_found']);
    clock.advance(1);
    expect(await outcomes()).toEqual(['403 access_expired', '402 subscription_expired']);
  });

  describe.each([
    ['no plan', '402 no_active_subscription', { plan: null }],
    ['a plan that ran out', '402 subscription_expired', { planEndsAt: 1 }],
  ] as const)('with %s', (_, expected, faulty) => {
    it('every instance endpoint but create keeps working [create.plan access.no-plan]', async () => {
      const who = await someone();
      const { customer } = who;
      const instance_id = await customer.linked();
      const unlinked = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
      await change(who, faulty);
      expect(outcome(await customer.call('POST', '/v1/instances', { label: 7 }))).toBe(expected);
      expect(outcome(await customer.call('GET', '/v1/instances'))).toBe('200');
      expect(outcome(await customer.call('GET', `/v1/instances/${instance_id}/status`))).toBe('200');
      expect(outcome(await customer.call('GET', `/v1/instances/${instance_id}/qr-status`))).toBe('200');
      expect(outcome(await customer.call('GET', `/v1/instances/${unlinked}/qr`))).toBe('200');
      expect(outcome(await customer.call('PATCH', `/v1/instances/${instance_id}`, { label: 'Still mine' }))).toBe('200');
      expect(outcome(await customer.call('DELETE', `/v1/instances/${instance_id}?logout_only=true`))).toBe('200');
      expect(outcome(await customer.call('DELETE', `/v1/instances/${instance_id}`))).toBe('200');
    });

    it('sends and number checks are refused [plan.needed]', async () => {
      const who = await someone();
      await change(who, faulty);
      expect(outcome(await send(who))).toBe(expected);
      expect(outcome(await who.customer.call('POST', '/v1/numbers/check', {}))).toBe(expected);
    });
  });

  it.each([
    ['a suspended account', '403 account_suspended', { status: 'suspended' }],
    ['an access period that passed', '403 access_expired', { accessEndsAt: 1 }],
  ] as const)('%s stops every instance endpoint, with a plan or without [access.expired access.no-plan]', async (_, expected, faulty) => {
    const who = await someone();
    const id = await who.customer.linked();
    await change(who, faulty);
    const calls = [
      ['POST', '/v1/instances'],
      ['GET', '/v1/instances'],
      ['GET', `/v1/instances/${id}/status`],
      ['GET', `/v1/instances/${id}/qr`],
      ['GET', `/v1/instances/${id}/qr-status`],
      ['GET', `/v1/instances/${id}/passkey`],
      ['POST', `/v1/instances/${id}/passkey`],
      ['POST', `/v1/instances/${id}/passkey/confirm`],
      ['PATCH', `/v1/instances/${id}`],
      ['DELETE', `/v1/instances/${id}`],
    ] as const;
    for (const [method, path] of calls) expect(outcome(await who.customer.call(method, path))).toBe(expected);
    await change(who, { plan: null });
    for (const [method, path] of calls) expect(outcome(await who.customer.call(method, path))).toBe(expected);
  });
});
