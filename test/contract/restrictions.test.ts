import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { waitFor } from '../support/wait-for.ts';

const phone = '491710001000';
const hourMs = 60 * 60 * 1000;
// Full jitter with this "random" waits half of 1, 2, 4 … s.
const half = 0.5;

describe('what the network restricts', () => {
  let clock: ManualClock;
  let network: ScriptedNetwork;
  let gateway: TestGateway;
  let customer: Customer;
  let id: string;
  beforeEach(async () => {
    clock = createManualClock();
    network = new ScriptedNetwork();
    gateway = await startGateway(anyStore, { overrides: { clock, random: () => half, networks: () => [network] } });
    customer = await gateway.customer();
    id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await network.link(id).pairs(phone);
    await customer.reaches(id, 'open');
  });
  afterEach(() => gateway.stop());
  const status = async () => (await customer.call('GET', `/v1/instances/${id}/status`)).body.data;
  const listed = async () => (await customer.call('GET', '/v1/instances')).body.data.instances[0];
  const send = () => customer.send('text', { instance_id: id, to: '491701234500', text: 'x' });
  const links = () => network.linksOf(id).length;
  const handled = () => gateway.session(customer.accountId, id)?.settled();
  const iso = (ms: number) => new Date(ms).toISOString();
  const restrict = async (...of: Parameters<ReturnType<ScriptedNetwork['link']>['restricts']>) => {
    network.link(id).restricts(...of);
    await handled();
  };
  const banUntil = async (until: number) => {
    await restrict({ reason: 'temporarily_banned', until });
    await network.link(id).closes('lost', until);
    await customer.reaches(id, 'connecting');
  };
  /** The gateway opens its next link after exactly this time. */
  const opensAfter = async (ms: number) => {
    const before = links();
    await clock.advanceAsync(ms - 1);
    expect(links()).toBe(before);
    await clock.advanceAsync(1);
    await waitFor(() => expect(links()).toBe(before + 1));
  };

  it('shows nothing while there is nothing [extensions.restriction]', async () => {
    for (const view of [await status(), await listed()]) expect(view).not.toHaveProperty('restriction');
  });

  it('is shown in status and list while it lasts, over a restart too, and not any more when its end has come [extensions.restriction]', async () => {
    const until = clock.now() + hourMs;
    const restriction = { reason: 'reach_out_blocked', until: iso(until) };
    await restrict({ reason: 'reach_out_blocked', until });
    expect(await status()).toMatchObject({ status: 'open', connected: true, restriction });
    expect(await listed()).toMatchObject({ restriction });
    // It limits new chats only: what may be sent, the network decides.
    expect((await send()).status).toBe(200);

    network.onOpen = (link) => link.opens(phone);
    await gateway.restart();
    await customer.reaches(id, 'open');
    expect(await status()).toMatchObject({ restriction });
    await clock.advanceAsync(hourMs - 1);
    expect(await listed()).toMatchObject({ restriction });
    await clock.advanceAsync(1);
    for (const view of [await status(), await listed()]) expect(view).not.toHaveProperty('restriction');
  });

  it('has no end when the network names none, and is gone when the network says so [extensions.restriction]', async () => {
    await restrict({ reason: 'reach_out_blocked', until: null });
    expect(await status()).toMatchObject({ restriction: { reason: 'reach_out_blocked', until: null } });
    await restrict(null);
    expect(await status()).not.toHaveProperty('restriction');
    network.onOpen = (link) => link.opens(phone);
    await gateway.restart();
    expect(await listed()).not.toHaveProperty('restriction');
  });

  it('a quota of new chats is shown as told, over a restart too, until its cycle ends; a number that is capped can go on sending [extensions.new-chats]', async () => {
    const cycleEndsAt = clock.now() + hourMs;
    const count = async (used: number) => {
      network.link(id).countsNewChats({ used, quota: 50, cycleEndsAt });
      await handled();
    };
    const shown = (used: number) => ({ new_chats: { used, quota: 50, cycle_ends_at: iso(cycleEndsAt) } });
    expect(await status()).toMatchObject({ new_chats: null });
    await count(12);
    for (const view of [await status(), await listed()]) expect(view).toMatchObject(shown(12));
    await count(50);
    await restrict({ reason: 'new_chats_capped', until: cycleEndsAt });
    const restriction = { reason: 'new_chats_capped', until: iso(cycleEndsAt) };
    expect(await status()).toMatchObject({ status: 'open', restriction, ...shown(50) });
    expect((await send()).status).toBe(200);

    network.onOpen = (link) => link.opens(phone);
    await gateway.restart();
    await customer.reaches(id, 'open');
    expect(await listed()).toMatchObject({ restriction, ...shown(50) });
    await clock.advanceAsync(hourMs);
    expect(await status()).toMatchObject({ new_chats: null });
    expect(await status()).not.toHaveProperty('restriction');
  });

  it('a quota does not go on to the next number [extensions.new-chats]', async () => {
    network.link(id).countsNewChats({ used: 1, quota: 50, cycleEndsAt: null });
    await handled();
    expect(await status()).toMatchObject({ new_chats: { used: 1, quota: 50, cycle_ends_at: null } });
    await network.link(id).closes('unlinked');
    await customer.reaches(id, 'close');
    expect(await status()).toMatchObject({ new_chats: null });
  });

  it('does not go on to the next number [extensions.restriction]', async () => {
    await restrict({ reason: 'reach_out_blocked', until: null });
    await network.link(id).closes('unlinked');
    await customer.reaches(id, 'close');
    expect(await status()).not.toHaveProperty('restriction');
    await customer.call('GET', `/v1/instances/${id}/qr`);
    await network.link(id).pairs('491710001001');
    await customer.reaches(id, 'open');
    expect(await status()).not.toHaveProperty('restriction');
  });

  it('a temporary ban: connecting, told with its end, and no login before [banned.meanwhile]', async () => {
    const until = clock.now() + 2 * hourMs;
    await banUntil(until);
    expect(await status()).toMatchObject({ status: 'connecting', restriction: { reason: 'temporarily_banned', until: iso(until) } });
    await opensAfter(2 * hourMs + 500);
    network.link(id).opens(phone);
    await customer.reaches(id, 'open');
    expect(await status()).not.toHaveProperty('restriction');
    expect((await send()).status).toBe(200);
    // What comes next backs off as usual.
    await network.link(id).closes('lost');
    await customer.reaches(id, 'connecting');
    await opensAfter(500);
  });

  it('a temporary ban holds over a restart, and for longer than a timer can run [banned.meanwhile]', async () => {
    const until = clock.now() + 25 * 24 * hourMs;
    await banUntil(until);
    await gateway.restart();
    const before = links();
    await customer.reaches(id, 'connecting');
    expect(await listed()).toMatchObject({ status: 'connecting', restriction: { reason: 'temporarily_banned', until: iso(until) } });
    clock.advance(25 * 24 * hourMs);
    expect(links()).toBe(before);
    await opensAfter(500);
  });

  it.each(['', '?logout_only=true'])('DELETE%s lets a banned number go without asking the network [banned.meanwhile]', async (query) => {
    await banUntil(clock.now() + hourMs);
    const before = links();
    expect((await customer.call('DELETE', `/v1/instances/${id}${query}`)).status).toBe(200);
    expect(links()).toBe(before);
    expect(await gateway.app.store.db.selectFrom('credentials').selectAll().execute()).toEqual([]);
    clock.advance(2 * hourMs);
    await handled();
    expect(links()).toBe(before);
    expect(await send()).toMatchObject(query === '' ? refusal(404, 'instance_not_found') : refusal(409, 'instance_not_connected'));
  });

  it('a refused version is told for a number that is to be paired too, until a link opens [extensions.restriction]', async () => {
    const created = (await customer.call('POST', '/v1/instances', {})).body.data;
    const newStatus = async () => (await customer.call('GET', `/v1/instances/${created.instance_id}/status`)).body.data;
    network.link(created.instance_id).restricts({ reason: 'version_refused', until: null });
    await network.link(created.instance_id).closes('lost', clock.now() + hourMs);
    await customer.reaches(created.instance_id, 'close');
    expect(await newStatus()).toMatchObject({ status: 'close', restriction: { reason: 'version_refused', until: null } });
    await customer.call('GET', `/v1/instances/${created.instance_id}/qr`);
    await network.link(created.instance_id).pairs('491710001002');
    await customer.reaches(created.instance_id, 'open');
    expect(await newStatus()).not.toHaveProperty('restriction');
  });
});
