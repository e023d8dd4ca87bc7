import { describe, expect, it } from 'vitest';
import { createPlan, createProvider, updateAccount, updatePlan, updateProvider } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import type { Customer } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

describe.each(storeKinds)('number allowances on %s', (kind) => {
  let providers = 0;
  const { gateway } = useGateway({ store: kind });
  const create = (customer: Customer) => customer.call('POST', '/v1/instances', {});
  const numbers = async (customer: Customer) => (await customer.call('GET', '/v1/instances')).body.data.instances.length;
  const provider = (numberCapacity: number) =>
    createProvider(gateway.app.store, { name: `provider ${providers++}`, numberCapacity }, at(Date.now()));
  const limited = (instance_limit: number, limit_source: string) =>
    refusal(403, 'instance_limit_reached', { instance_limit, limit_source });

  it("are the plan's, and follow it [create.limit]", async () => {
    const plan = await createPlan(
      gateway.app.store,
      { name: 'two numbers', messagesPerMinute: 60, instanceLimit: 2, trialMessages: null },
      at(Date.now()),
    );
    const customer = await gateway.customer({ plan: plan.name });
    for (let number = 0; number < 2; number++) expect((await create(customer)).status).toBe(200);
    expect(await create(customer)).toMatchObject(limited(2, 'plan'));
    expect(await numbers(customer)).toBe(2);
    await updatePlan(gateway.app.store, plan.name, { instanceLimit: 3 }, at(Date.now()));
    expect((await create(customer)).status).toBe(200);
    await updatePlan(gateway.app.store, plan.name, { instanceLimit: 1 }, at(Date.now()));
    expect(await create(customer)).toMatchObject(limited(1, 'plan'));
    expect(await numbers(customer)).toBe(3);
  });

  it.each([
    ['trial', 1],
    ['starter', 3],
  ])('of the built-in plan %s are %i [create.limit plan.built-in]', async (plan, limit) => {
    const customer = await gateway.customer({ plan });
    for (let number = 0; number < limit; number++) expect((await create(customer)).status).toBe(200);
    expect(await create(customer)).toMatchObject(limited(limit, 'plan'));
  });

  it.each([
    ['more', 'trial', 2],
    ['less', 'scale', 1],
    ['none', 'scale', 0],
  ])("are the account's own where it has one, be it %s than the plan's [create.limit]", async (_what, plan, instanceLimit) => {
    const customer = await gateway.customer({ plan, instanceLimit });
    for (let number = 0; number < instanceLimit; number++) expect((await create(customer)).status).toBe(200);
    expect(await create(customer)).toMatchObject(limited(instanceLimit, 'account'));
  });

  it("are the free slots on an operator's own account [slot.operator]", async () => {
    const customer = await gateway.customer({ operator: true, freeSlots: 1, plan: 'scale', instanceLimit: 50 });
    expect((await create(customer)).status).toBe(200);
    const answer = await create(customer);
    expect(answer).toMatchObject(refusal(403, 'admin_free_slot_limit_reached', { limit_source: 'free_slots' }));
    expect(await numbers(customer)).toBe(1);
  });

  it("end where the provider's capacity ends, over all its accounts, and only that provider's [capacity.full capacity.order]", async () => {
    const { id: providerId } = await provider(2);
    const [first, second] = [await gateway.customer({ providerId }), await gateway.customer({ providerId })];
    expect((await create(first)).status).toBe(200);
    expect((await create(second)).status).toBe(200);
    for (const customer of [first, second]) expect(await create(customer)).toMatchObject(refusal(403, 'activation_unavailable'));
    expect((await create(await gateway.customer())).status).toBe(200);
    await updateProvider(gateway.app.store, providerId, { numberCapacity: 3 }, at(Date.now()));
    expect((await create(second)).status).toBe(200);
  });

  it("name the account's limit before the provider's [capacity.order]", async () => {
    const { id: providerId } = await provider(1);
    const customer = await gateway.customer({ providerId, instanceLimit: 1 });
    await create(customer);
    expect(await create(customer)).toMatchObject(limited(1, 'account'));
  });

  it('are exact under 50 creates at once [allowance.exact]', async () => {
    const customer = await gateway.customer({ instanceLimit: 7 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(customer)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(43);
    for (const answer of refused) expect(answer).toMatchObject(limited(7, 'account'));
    expect(await numbers(customer)).toBe(7);
  });

  it('are exact for a provider whose accounts create 50 at once [allowance.exact]', async () => {
    const { id: providerId } = await provider(7);
    const customers = await Promise.all(Array.from({ length: 5 }, () => gateway.customer({ providerId })));
    const answers = await Promise.all(customers.flatMap((customer) => Array.from({ length: 10 }, () => create(customer))));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(43);
    for (const answer of refused) expect(answer).toMatchObject(refusal(403, 'activation_unavailable'));
  });

  it('count a slot until it is deleted; a logout frees none [slot.freed]', async () => {
    const { id: providerId } = await provider(1);
    const customer = await gateway.customer({ providerId, instanceLimit: 1 });
    const id = await customer.linked();
    await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    expect((await create(customer)).status).toBe(403);
    await customer.call('DELETE', `/v1/instances/${id}`);
    expect((await create(customer)).status).toBe(200);
    expect((await create(customer)).status).toBe(403);
  });

  it('need an active plan for creating, and for no other instance endpoint [create.plan]', async () => {
    const customer = await gateway.customer();
    const id = await customer.linked();
    const spare = (await create(customer)).body.data.instance_id;
    const lapses = async (changes: Parameters<typeof updateAccount>[2], code: string) => {
      await updateAccount(gateway.app.store, customer.accountId, changes, at(Date.now()));
      expect(await create(customer)).toMatchObject(refusal(402, code));
      expect((await customer.call('GET', '/v1/instances')).body.data.instances).toHaveLength(2);
      for (const rest of ['status', 'qr', 'qr-status'])
        expect((await customer.call('GET', `/v1/instances/${id}/${rest}`)).status).toBe(200);
      expect((await customer.call('PATCH', `/v1/instances/${id}`, { label: code })).body.data.label).toBe(code);
      expect((await customer.call('DELETE', `/v1/instances/${spare}?logout_only=on`)).body.data.disconnected).toBe(true);
      expect((await customer.call('GET', `/v1/instances/${spare}/qr`)).body.data.status).toBe('connecting');
    };
    await lapses({ planEndsAt: Date.now() - 1 }, 'subscription_expired');
    await lapses({ plan: null }, 'no_active_subscription');
    expect((await customer.call('DELETE', `/v1/instances/${spare}`)).body.data.deleted).toBe(true);
    expect(await customer.call('POST', '/v1/numbers/check', { instance_id: id, numbers: ['491701234500'] })).toMatchObject(
      refusal(402, 'no_active_subscription'),
    );
    await updateAccount(gateway.app.store, customer.accountId, { plan: 'starter' }, at(Date.now()));
    expect((await create(customer)).status).toBe(200);
  });
});
