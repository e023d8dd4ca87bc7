import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, createPassingKey } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { anyStore } from '../support/run-options.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';

const phone = '491710002000';

describe('the audit log of what is done to numbers over HTTP', () => {
  let clock: ManualClock;
  let network: ScriptedNetwork;
  let gateway: TestGateway;
  let customer: Customer;
  let actor: object;
  beforeEach(async () => {
    clock = createManualClock();
    network = new ScriptedNetwork();
    gateway = await startGateway(anyStore, { overrides: { clock, random: () => 0.5, networks: () => [network] } });
    customer = await gateway.customer();
    actor = { at: clock.now(), actor_kind: 'key', actor_id: expect.any(String), actor_name: customer.key.slice(0, 12) };
  });
  afterEach(() => gateway.stop());

  const added = (work: () => Promise<unknown>) => auditOf(gateway.app.store, work);
  const slot = (body: object = {}) => customer.call('POST', '/v1/instances', body);
  const create = async (body?: object): Promise<string> => (await slot(body)).body.data.instance_id;
  const linked = async (number = phone) => {
    const id = await create({ label: 'desk' });
    await network.link(id).pairs(number);
    await customer.reaches(id, 'open');
    return id;
  };
  const disconnect = (id: string) => customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
  const remove = (id: string) => customer.call('DELETE', `/v1/instances/${id}`);
  const rename = (id: string, label: string) => customer.call('PATCH', `/v1/instances/${id}`, { label });
  const settled = (id: string) => gateway.session(customer.accountId, id)?.settled();

  it('has one row for each: created, linked, renamed, disconnected, deleted, by the key', async () => {
    let id = '';
    const rows = await added(async () => {
      id = await linked();
      await rename(id, 'front desk');
      await disconnect(id);
      await remove(id);
    });
    const target = {
      target_kind: 'number',
      target_id: id,
      account_id: customer.accountId,
      account_name: 'customer',
      provider_id: 'default',
    };
    expect(rows).toMatchObject([
      {
        ...actor,
        ...target,
        action: 'number.create',
        details: { label: { from: null, to: 'desk' }, network: { from: null, to: 'sandbox' } },
      },
      { ...actor, ...target, action: 'number.link', details: { phone_number: { from: null, to: phone } } },
      { ...actor, ...target, action: 'number.rename', details: { label: { from: 'desk', to: 'front desk' } } },
      { ...actor, ...target, action: 'number.disconnect', details: { phone_number: { from: phone, to: null } } },
      {
        ...actor,
        ...target,
        action: 'number.delete',
        details: {
          label: { from: 'front desk', to: null },
          network: { from: 'sandbox', to: null },
          phone_number: { from: phone, to: null },
        },
      },
    ]);
  });

  it('has only the deletion of a number that is deleted while linked', async () => {
    const id = await linked();
    expect(await added(() => Promise.all([remove(id), remove(id)]))).toMatchObject([{ action: 'number.delete', target_id: id }]);
  });

  it('has nothing for what changes nothing, is refused, or only reads', async () => {
    const open = await linked();
    const never = await create();
    const rows = await added(async () => {
      await rename(open, 'desk');
      await rename(open, '   ');
      await disconnect(never);
      await disconnect('00000000-0000-7000-8000-000000000000');
      await customer.call('DELETE', `/v1/instances/${open}?logout=1`);
      for (const path of ['', `/${open}/status`, `/${never}/qr`, `/${never}/qr-status`]) await customer.call('GET', `/v1/instances${path}`);
    });
    expect(rows).toEqual([]);
    expect(await added(() => disconnect(open))).toHaveLength(1);
    expect(await added(() => disconnect(open))).toEqual([]);
  });

  it('has nothing when unlinking fails, and a row when it succeeds', async () => {
    const id = await linked();
    network.link(id).answerLogout = () => Promise.reject(new Error('the network is away'));
    expect(await added(async () => expect((await disconnect(id)).status).toBe(500))).toEqual([]);
    expect(await added(() => disconnect(id))).toMatchObject([{ action: 'number.disconnect', target_id: id }]);
  });

  it('has nothing for what phone and network do by themselves', async () => {
    const id = await linked();
    const rows = await added(async () => {
      await network.link(id).closes('lost');
      await customer.reaches(id, 'connecting');
      await clock.advanceAsync(1000);
      network.link(id).opens(phone);
      await customer.reaches(id, 'open');
      await network.link(id).closes('unlinked');
      await customer.reaches(id, 'close');
      await disconnect(id);
    });
    expect(rows).toEqual([]);
  });

  it('has the link of a number that is linked again, by whoever began the attempt', async () => {
    const id = await linked();
    await disconnect(id);
    const { store } = gateway.app;
    const other = await createKey(store, customer.accountId, { label: null }, at(clock.now()));
    const rows = await added(async () => {
      await gateway.call('GET', `/v1/instances/${id}/qr`, { key: other.key });
      await customer.call('GET', `/v1/instances/${id}/qr`);
      await network.link(id).closes('restart');
      await settled(id);
      // Lost between the scan and the first login.
      await network.link(id).context.credentials.write(new Map([['device', Buffer.from(phone)]]));
      await network.link(id).closes('lost');
      await settled(id);
      await clock.advanceAsync(1000);
      network.link(id).opens(phone);
      await customer.reaches(id, 'open');
    });
    expect(rows).toMatchObject([
      { actor_kind: 'key', actor_id: other.id, actor_name: other.prefix, action: 'number.link', details: { phone_number: { to: phone } } },
    ]);
  });

  it('has no link of a number that is connected on another instance already', async () => {
    await linked();
    const second = await create();
    const rows = await added(async () => {
      await network.link(second).pairs(phone);
      await settled(second);
      await customer.reaches(second, 'close');
    });
    expect(rows).toEqual([]);
  });

  it("tells the command line from a customer's keys", async () => {
    const id = await create();
    const passing = await createPassingKey(gateway.app.store, customer.accountId, { ttlMs: 60_000, now: clock.now() });
    await network.link(id).closes('codes_exhausted');
    await settled(id);
    const rows = await added(async () => {
      await gateway.call('GET', `/v1/instances/${id}/qr`, { key: passing.key });
      await network.link(id).pairs(phone);
      await customer.reaches(id, 'open');
    });
    expect(rows).toMatchObject([{ actor_kind: 'command_line', actor_id: null, actor_name: null, action: 'number.link', target_id: id }]);
  });

  it('changes nothing that it cannot tell of', async () => {
    const id = await linked();
    const { store } = gateway.app;
    const move = (from: 'audit_log' | 'away', to: 'audit_log' | 'away') => store.db.schema.alterTable(from).renameTo(to).execute();
    const kept = () => store.db.selectFrom('instances').selectAll().execute();
    const before = await kept();
    await move('audit_log', 'away');
    for (const change of [() => rename(id, 'x'), () => slot(), () => disconnect(id)]) expect((await change()).status).toBe(500);
    expect(await kept()).toEqual(before);
    await move('away', 'audit_log');
    expect(await added(() => rename(id, 'x'))).toHaveLength(1);
  });
});
