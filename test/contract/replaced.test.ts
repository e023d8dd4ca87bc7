import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { allowDeletes, refuseDeletes } from '../support/refused-deletes.ts';
import { anyStore } from '../support/run-options.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { waitFor } from '../support/wait-for.ts';

const phone = '491710001200';
const parked = { status: 'close', connected: false, phone_number: phone, restriction: { reason: 'replaced', until: null } };

describe('a number whose credentials another program uses', () => {
  let clock: ManualClock;
  let network: ScriptedNetwork;
  let gateway: TestGateway;
  let customer: Customer;
  let id: string;
  beforeEach(async () => {
    clock = createManualClock();
    network = new ScriptedNetwork();
    gateway = await startGateway(anyStore, { overrides: { clock, random: () => 0.5, networks: () => [network] } });
    customer = await gateway.customer();
    id = await linkedNumber();
    await network.link(id).closes('replaced');
    await customer.reaches(id, 'close');
    await gateway.session(customer.accountId, id)?.settled();
  });
  afterEach(() => gateway.stop());
  const linkedNumber = async () => {
    const made = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await network.link(made).pairs(phone);
    await customer.reaches(made, 'open');
    return made;
  };
  const get = async (rest: string) => (await customer.call('GET', `/v1/instances/${id}/${rest}`)).body.data;
  const send = (from = id) => customer.send('text', { instance_id: from, to: '491701234500', text: 'x' });
  const links = () => network.linksOf(id).length;
  const records = async () =>
    (await gateway.app.store.db.selectFrom('credentials').select('name').where('instance_id', '=', id).execute()).length;
  /** The next link of the number does this. */
  const nextLink = (act: (link: ReturnType<ScriptedNetwork['link']>) => void) => {
    network.onOpen = (link, linked) => (linked ? act(link) : link.showCode(1));
  };

  it('is parked with its credentials, also after a restart, and refuses sends [replaced.parked]', async () => {
    for (const restarted of [false, true]) {
      if (restarted) await gateway.restart();
      const before = links();
      await clock.advanceAsync(10 * 60_000);
      expect(links()).toBe(before);
      expect(await get('status')).toMatchObject(parked);
      expect((await customer.call('GET', '/v1/instances')).body.data.instances).toMatchObject([parked]);
      expect(await send()).toMatchObject(refusal(409, 'instance_not_connected'));
      expect(await records()).toBe(1);
    }
  });

  it('stays parked when the store refuses to forget it', async () => {
    await refuseDeletes(gateway.app.store, 'credentials');
    const disconnect = () => customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    expect(await disconnect()).toMatchObject(refusal(500, 'internal_error'));
    const before = links();
    await clock.advanceAsync(60_000);
    expect(links()).toBe(before);
    expect(await get('status')).toMatchObject(parked);
    await allowDeletes(gateway.app.store);
    expect((await disconnect()).status).toBe(200);
    expect(await records()).toBe(0);
  });

  it.each([false, true])(
    'is stored as linked when it was parked before its first login and is taken back (after a restart: %s)',
    async (restarted) => {
      await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
      await get('qr');
      const scanned = network.link(id);
      await scanned.context.credentials.write(new Map([['device', Buffer.from(phone)]]));
      await scanned.closes('replaced');
      await customer.reaches(id, 'close');
      if (restarted) await gateway.restart();
      nextLink((link) => link.opens(phone));
      await get('qr');
      await customer.reaches(id, 'open');
      const row = gateway.app.store.db.selectFrom('instances').select('linked_at').where('id', '=', id).executeTakeFirst();
      expect((await row)?.linked_at).toEqual(expect.any(Number));
    },
  );

  it.each([false, true])('is taken back by GET qr without a scan (after a restart: %s) [replaced.back]', async (restarted) => {
    if (restarted) await gateway.restart();
    nextLink((link) => link.opens(phone));
    expect(await get('qr')).toEqual({ instance_id: id, status: 'open', connected: true, already_connected: true, qrcode: null });
    const status = await get('status');
    expect(status).toMatchObject({ status: 'open', connected: true, phone_number: phone });
    expect(status).not.toHaveProperty('restriction');
    expect((await send()).status).toBe(200);
    await gateway.restart();
    await customer.reaches(id, 'open');
  });

  it.each(['unlinked', 'banned', 'refused'] as const)('a new code at once when its credentials are %s [replaced.back]', async (reason) => {
    nextLink((link) => void link.closes(reason));
    const answer = await get('qr');
    expect(answer).toMatchObject({ status: 'connecting', connected: false, already_connected: false });
    expect(answer.qrcode.code).toContain(id);
    expect(await records()).toBe(0);
    expect(await get('status')).not.toHaveProperty('restriction');
  });

  it('is parked again when the other program fights back', async () => {
    nextLink((link) => void link.closes('replaced'));
    expect(await customer.call('GET', `/v1/instances/${id}/qr`)).toMatchObject(refusal(503, 'qr_unavailable'));
    expect(links()).toBe(2);
    expect(await get('status')).toMatchObject(parked);
    expect(await records()).toBe(1);
  });

  it('comes back by itself once it was asked for and the network is away', async () => {
    nextLink((link) => void link.closes('lost'));
    const before = clock.pendingOf(2000);
    const answer = customer.call('GET', `/v1/instances/${id}/qr`);
    await waitFor(() => expect(links()).toBe(2));
    await waitFor(() => expect(clock.pendingOf(2000)).toBeGreaterThan(before));
    nextLink((link) => link.opens(phone));
    await clock.advanceAsync(2000);
    expect((await answer).status).toBeOneOf([200, 503]);
    await customer.reaches(id, 'open');
    expect(await records()).toBe(1);
  });

  it('can be let go of without telling the network, where the other program goes on', async () => {
    const answer = await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    expect(answer.body.data).toEqual({ instance_id: id, status: 'close', disconnected: true });
    expect(links()).toBe(1);
    expect(await records()).toBe(0);
    expect(await get('status')).not.toHaveProperty('restriction');
    expect((await get('qr')).qrcode.code).toContain(id);
  });

  it('does not keep its phone from being linked to another instance, which then keeps the number', async () => {
    const other = await linkedNumber();
    expect((await send(other)).status).toBe(200);
    const before = links();
    expect(await customer.call('GET', `/v1/instances/${id}/qr`)).toMatchObject(refusal(503, 'qr_unavailable'));
    expect(await customer.call('GET', `/v1/instances/${id}/qr-status`)).toMatchObject(refusal(409, 'number_already_connected'));
    expect(links()).toBe(before);
    expect(await records()).toBe(1);
    await customer.call('DELETE', `/v1/instances/${other}`);
    nextLink((link) => link.opens(phone));
    expect(await get('qr')).toMatchObject({ already_connected: true });
  });
});
