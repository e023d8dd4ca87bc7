import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setChatBudget } from '../../src/sessions/index.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { makeStoreUnavailable } from '../support/refused-writes.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('a budget of new chats on %s', (kind) => {
  let clock: ManualClock;
  let gateway: TestGateway;
  let customer: Customer;
  let instanceId: string;
  beforeEach(async () => {
    clock = createManualClock();
    gateway = await startGateway(kind, { overrides: { clock } });
    customer = await gateway.customer({ plan: 'scale' });
    instanceId = await customer.linked('491710000800');
  });
  afterEach(() => gateway.stop());

  const send = (to: string, more: { key?: string } = {}) =>
    customer.send('text', { instance_id: instanceId, to, text: 'Hello' }, more.key === undefined ? {} : { 'idempotency-key': more.key });
  const contact = (n: number) => `4915123${String(4000 + n).padStart(4, '1')}`;
  const until = () => new Date((Math.floor(clock.now() / dayMs) + 1) * dayMs).toISOString();
  const over = () => refusal(422, 'invalid_recipient', { reason: 'new_chat_budget', until: until() });
  const newChats = async () => expectOk(await customer.call('GET', `/v1/instances/${instanceId}/status`)).body.data.new_chats;
  /** Sets it as an owner does in the portal. */
  async function budget(chat_budget: object | null) {
    const owner = await memberOf(gateway, customer.accountId, 'owner');
    return owner.call('PATCH', `/portal/api/numbers/${instanceId}`, { body: { chat_budget } });
  }

  it('refuses one new chat more, shows what is left, lets known chats go on, and begins anew with the day', async () => {
    expect(await newChats()).toBeNull();
    const before = contact(100);
    expectOk(await send(before));
    expectOk(await budget({ per_day: 2 }));
    expect(await newChats()).toEqual({ used: 0, quota: 2, cycle_ends_at: until() });
    expectOk(await send(contact(1)));
    expectOk(await send(contact(2)));
    expect(await send(contact(3))).toMatchObject(over());
    for (const known of [contact(1), contact(2), before]) expectOk(await send(known));
    expect(await newChats()).toEqual({ used: 2, quota: 2, cycle_ends_at: until() });
    const [listed] = expectOk(await customer.call('GET', '/v1/instances')).body.data.instances;
    expect(listed.new_chats).toEqual({ used: 2, quota: 2, cycle_ends_at: until() });
    clock.advance(dayMs);
    expect(await newChats()).toEqual({ used: 0, quota: 2, cycle_ends_at: until() });
    expectOk(await send(contact(3)));
    // Also what is begun since long and what nobody remembers but the budget.
    await gateway.app.store.db.deleteFrom('sandbox_messages').execute();
    expectOk(await send(contact(1)));
    expect((await newChats()).used).toBe(1);
    expectOk(await budget(null));
    expect(await newChats()).toBeNull();
    for (let n = 10; n < 15; n++) expectOk(await send(contact(n)));
  });

  it('is exact however many send at once', async () => {
    expectOk(await budget({ per_day: 5 }));
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(contact(n))));
    expect(answers.map(outcome).sort()).toEqual([...Array(5).fill('200'), ...Array(15).fill('422 invalid_recipient')]);
    const again = await Promise.all(Array.from({ length: 10 }, () => send(contact(answers.findIndex(({ status }) => status === 200)))));
    expect(again.map(outcome)).toEqual(Array(10).fill('200'));
    expect((await newChats()).used).toBe(5);
  });

  it('counts a chat once for many sends at once, and gives back what was refused', async () => {
    expectOk(await budget({ per_day: 2 }));
    // Not on the network, and one that the network says nothing of.
    for (const ending of ['0000', '0001']) {
      const answers = await Promise.all([send(`4915123${ending}`), send(`4915123${ending}`)]);
      expect(answers.map(({ status }) => status)).toEqual(ending === '0000' ? [422, 422] : [502, 502]);
    }
    expect((await newChats()).used).toBe(0);
    const same = await Promise.all(Array.from({ length: 5 }, () => send(contact(1))));
    expect(same.map(outcome)).toEqual(Array(5).fill('200'));
    expect((await newChats()).used).toBe(1);
  });

  it('does not count a retry with the same key twice, whose first try may have arrived', async () => {
    expectOk(await budget({ per_day: 1 }));
    // Its first acknowledgement is lost.
    const to = '49151230004';
    const first = await send(to, { key: 'order-1042' });
    expect(first.status).toBe(502);
    expect((await newChats()).used).toBe(1);
    expectOk(await send(to, { key: 'order-1042' }));
    expect((await newChats()).used).toBe(1);
    expect(await send(contact(1))).toMatchObject(over());
  });

  it('sends nothing while it cannot be counted, says so, and the same key sends later', async () => {
    expectOk(await budget({ per_day: 1 }));
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'new_chats');
    const answer = await send(contact(1), { key: 'order-1043' });
    await comeBack();
    expect(answer).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect(answer.body.error.message).toContain('nothing was sent');
    expect(await gateway.app.store.db.selectFrom('claims').select('state').execute()).toEqual([]);
    await waitFor(async () => expectOk(await send(contact(1), { key: 'order-1043' })));
    expect(await customer.received(contact(1))).toHaveLength(1);
    expect((await newChats()).used).toBe(1);
  });

  it('grows day by day while a number is warmed up', async () => {
    expectOk(await budget({ per_day: 4, warm_up: { start: 1, growth_percent: 100 } }));
    const quotas: number[] = [];
    for (let day = 0; day < 4; day++) {
      quotas.push((await newChats()).quota);
      clock.advance(dayMs);
    }
    expect(quotas).toEqual([1, 2, 4, 4]);
  });

  it('is set by owners within its bounds, which the audit log tells, and on the command line', async () => {
    const member = await memberOf(gateway, customer.accountId);
    const path = `/portal/api/numbers/${instanceId}`;
    expect(outcome(await member.call('PATCH', path, { body: { chat_budget: null } }))).toBe('403 forbidden');
    for (const wrong of [{ per_day: 0 }, { per_day: 1.5 }, { per_day: 5, warm_up: { start: 6, growth_percent: 10 } }, {}])
      expect(outcome(await budget(wrong))).toBe('400 invalid_request');
    const rows = await auditOf(gateway.app.store, async () => {
      expect(expectOk(await budget({ per_day: 50, warm_up: { start: 10, growth_percent: 20 } })).body.data).toEqual({
        instance_id: instanceId,
        chat_budget: { per_day: 50, warm_up: { start: 10, growth_percent: 20 } },
      });
    });
    expect(rows.filter(({ action }) => action === 'number.budget')).toMatchObject([
      { target_id: instanceId, details: { chat_budget: { from: null, to: '50/day, from 10/day +20 %/day' } } },
    ]);
    expect(expectOk(await member.call('GET', path)).body.data.chat_budget.per_day).toBe(50);
    // By another program beside the server, which follows it.
    await setChatBudget(gateway.app.store, instanceId, { perDay: 3, warmUp: null }, at(clock.now()));
    await waitFor(async () => expect((await newChats()).quota).toBe(3));
  });

  it('starts over with another phone number, and goes on with the same one', async () => {
    const link = async (phone: string) => {
      expectOk(await customer.call('DELETE', `/v1/instances/${instanceId}?logout_only=true`));
      const { qrcode } = expectOk(await customer.call('GET', `/v1/instances/${instanceId}/qr`)).body.data;
      expectOk(await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: phone }));
      await customer.reaches(instanceId, 'open');
    };
    expectOk(await budget({ per_day: 1 }));
    expectOk(await send(contact(1)));
    await link('491710000800');
    expectOk(await send(contact(1)));
    expect(await send(contact(2))).toMatchObject(over());
    await link('491710000801');
    await waitFor(async () => expect((await newChats()).used).toBe(0));
    expectOk(await send(contact(1)));
    expect((await newChats()).used).toBe(1);
    expect(await send(contact(2))).toMatchObject(over());
  });

  it('lasts over a restart', async () => {
    expectOk(await budget({ per_day: 1 }));
    expectOk(await send(contact(1)));
    await gateway.restart();
    await customer.reaches(instanceId, 'open');
    expect(await send(contact(2))).toMatchObject(over());
    expectOk(await send(contact(1)));
  });
});
