import { beforeAll, describe, expect, it } from 'vitest';
import { revokeKey, updateAccount } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

describe('the account in the portal', () => {
  const clock = createManualClock();
  let customer: Customer;
  let member: SignedIn;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    customer = await gateway.customer({ plan: null, name: 'Corner shop' });
    member = await memberOf(gateway, customer.accountId);
  });
  const account = async (by = member) => expectOk(await by.call('GET', '/portal/api/account')).body.data;
  const steps = async (by = member) => expectOk(await by.call('GET', '/portal/api/first-steps')).body.data;

  it('is told with its plan and limits', async () => {
    const bare = {
      account_id: customer.accountId,
      name: 'Corner shop',
      provider_id: 'default',
      provider_name: 'default',
      status: 'active',
      suspended_by: null,
      provider_status: 'active',
      plan: null,
      plan_starts_at: null,
      plan_ends_at: null,
      access_ends_at: null,
      instance_limit: null,
      operator: false,
      free_slots: null,
      trial_used: 0,
      numbers: 0,
      live_keys: 1,
      created_at: new Date(clock.now()).toISOString(),
    };
    expect(await account()).toEqual(bare);
    const ends = { planEndsAt: clock.now() + 1000, accessEndsAt: clock.now() + 2000 };
    await updateAccount(gateway.app.store, customer.accountId, { plan: 'trial', instanceLimit: 7, ...ends }, at(clock.now()));
    expect(await account()).toEqual({
      ...bare,
      plan: {
        plan_id: expect.any(String),
        name: 'trial',
        messages_per_minute: 30,
        instance_limit: 1,
        trial_message_limit: 100,
        created_at: expect.stringMatching(/Z$/),
      },
      plan_starts_at: new Date(clock.now()).toISOString(),
      plan_ends_at: new Date(ends.planEndsAt).toISOString(),
      access_ends_at: new Date(ends.accessEndsAt).toISOString(),
      instance_limit: 7,
    });
  });

  it('is the one an operator or its provider admin acts for', async () => {
    const [admin, reseller] = [await operator(gateway), await providerAdmin(gateway)];
    const { accountId } = await gateway.customer({ providerId: reseller.providerId, name: 'Sold on' });
    for (const somebody of [admin, reseller]) {
      somebody.account = null;
      expect(await somebody.call('GET', '/portal/api/account')).toMatchObject(refusal(403, 'forbidden'));
      somebody.account = accountId;
      expect(await account(somebody)).toMatchObject({ account_id: accountId, name: 'Sold on' });
    }
    for (const somebody of [reseller, member]) {
      somebody.account = somebody === member ? accountId : customer.accountId;
      expect(await somebody.call('GET', '/portal/api/account')).toMatchObject(refusal(403, 'forbidden'));
      expect(await somebody.call('GET', '/portal/api/first-steps')).toMatchObject(refusal(403, 'forbidden'));
    }
    member.account = customer.accountId;
  });

  it('has its first steps ticked off as they happen, and for good', async () => {
    const newcomer = await gateway.customer();
    const owner = await memberOf(gateway, newcomer.accountId, 'owner');
    expect(await steps(owner)).toEqual({ key: true, number: false, message: false });
    const id = await newcomer.linked('491710000901');
    expect(await steps(owner)).toEqual({ key: true, number: true, message: false });
    expect((await newcomer.send('text', { instance_id: id, to: '491701230000', text: 'not on the network' })).status).toBe(422);
    expect(await steps(owner)).toEqual({ key: true, number: true, message: false });
    expectOk(await newcomer.send('text', { instance_id: id, to: '491701234567', text: 'hello there' }));
    expect(await steps(owner)).toEqual({ key: true, number: true, message: true });
    await newcomer.call('DELETE', `/v1/instances/${id}`);
    const [{ key_id }] = expectOk(await owner.call('GET', '/portal/api/keys')).body.data.rows;
    await revokeKey(gateway.app.store, key_id, at(clock.now()));
    expect(await steps(owner)).toEqual({ key: true, number: true, message: true });
  });
});
