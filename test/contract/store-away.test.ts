import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { makeStoreUnavailable, makeUnreadable } from '../support/refused-writes.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const phone = '491710001300';

describe.each(storeKinds)('what a network tells while the store is away (%s)', (kind) => {
  let clock: ManualClock;
  let network: ScriptedNetwork;
  let gateway: TestGateway;
  let customer: Customer;
  let id: string;
  beforeEach(async () => {
    clock = createManualClock();
    network = new ScriptedNetwork();
    gateway = await startGateway(kind, { overrides: { clock, networks: () => [network] } });
    customer = await gateway.customer();
    id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await network.link(id).pairs(phone);
    await customer.reaches(id, 'open');
  });
  afterEach(() => gateway.stop());
  /** Where several servers may be, only the store tells whether the other program is one of them. */
  const whileAway = kind === 'sqlite' ? 'close' : 'connecting';
  const session = () => gateway.session(customer.accountId, id);
  const row = (of = id) => gateway.app.store.db.selectFrom('instances').selectAll().where('id', '=', of).executeTakeFirstOrThrow();
  /** Tries of a write fail for minutes. */
  const time = async () => {
    for (let turn = 0; turn < 30; turn++) await clock.advanceAsync(10_000);
  };
  /** What was waited for is stored. */
  const stored = (expected: object, of = id) =>
    waitFor(async () => {
      await clock.advanceAsync(10_000);
      expect(await row(of)).toMatchObject(expected);
    });

  it('keeps a restricted number connected, and stores the restriction when the store is back', async () => {
    const link = network.link(id);
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'instances');
    link.restricts({ reason: 'reach_out_blocked', until: null });
    await time();
    expect(session()).toMatchObject({ status: 'open', restriction: { reason: 'reach_out_blocked' } });
    expect(network.linksOf(id)).toEqual([link]);
    expect(link.ended).toBeNull();
    await comeBack();
    await stored({ restriction_reason: 'reach_out_blocked' });
  });

  it('keeps a replaced number parked, and stores that when the store is back', async () => {
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'instances');
    await network.link(id).closes('replaced');
    await time();
    expect(session()?.status).toBe(whileAway);
    expect(session()?.restriction?.reason).toBe(kind === 'sqlite' ? 'replaced' : undefined);
    expect(network.linksOf(id)).toHaveLength(1);
    await comeBack();
    await stored({ restriction_reason: 'replaced', linked: 1 });
    await gateway.restart();
    await clock.advanceAsync(10 * 60_000);
    expect(network.linksOf(id)).toHaveLength(1);
  });

  /** Another instance, which shows a code. */
  const pairing = async () => {
    const other: string = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    await waitFor(() => expect(gateway.session(customer.accountId, other)?.attempt?.code).toBeTypeOf('string'));
    return other;
  };
  /** No instance can be read until what is returned is called. */
  const unreadable = () => {
    const tables = gateway.apps.map(({ store }) => makeUnreadable(store, 'instances'));
    return () => {
      expect(tables.some(({ failures }) => failures > 0)).toBe(true);
      for (const table of tables) table.end();
    };
  };

  it('ends a pairing attempt whose connection was lost, when the store is back', async () => {
    const other = await pairing();
    const comeBack = unreadable();
    await network.link(other).closes('lost');
    await time();
    comeBack();
    await waitFor(async () => {
      await clock.advanceAsync(10_000);
      expect(gateway.session(customer.accountId, other)).toMatchObject({ status: 'close', attempt: null });
    });
    const { qrcode } = (await customer.call('GET', `/v1/instances/${other}/qr`)).body.data;
    expect(qrcode).not.toBeNull();
    expect(network.linksOf(other)).toHaveLength(2);
  });

  it('shows an unlinked number as closed, and removes its restriction when the store is back', async () => {
    const link = network.link(id);
    link.restricts({ reason: 'reach_out_blocked', until: null });
    await stored({ restriction_reason: 'reach_out_blocked' });
    await link.context.credentials.clear();
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'instances');
    link.context.onEvent({ type: 'closed', reason: 'unlinked' });
    await time();
    expect(session()).toMatchObject({ status: 'close', restriction: null });
    await comeBack();
    await stored({ restriction_reason: null });
  });

  it('shows a number that another instance has as closed, and stores why when the store is back', async () => {
    const other = await pairing();
    const link = network.link(other);
    const away = Promise.withResolvers<() => Promise<void>>();
    link.logout = async () => {
      await link.context.credentials.clear();
      away.resolve(await makeStoreUnavailable(gateway.app.store, 'instances'));
    };
    await link.pairs(phone);
    const comeBack = await away.promise;
    await time();
    expect(gateway.session(customer.accountId, other)).toMatchObject({ status: 'close', conflict: true });
    await comeBack();
    await stored({ conflict: 1 }, other);
  });

  // Where there is one server only, nothing is read at a scan.
  if (kind === 'postgres') {
    it('keeps a number connected that has just been scanned', async () => {
      const other = await pairing();
      const comeBack = unreadable();
      const link = network.link(other);
      await link.pairs('491710001301');
      await time();
      comeBack();
      await waitFor(async () => {
        await clock.advanceAsync(10_000);
        expect(gateway.session(customer.accountId, other)?.status).toBe('open');
      });
      expect(network.linksOf(other)).toEqual([link]);
      expect(link.ended).toBeNull();
    });
  }

  it('keeps no request about the number waiting', async () => {
    const link = network.link(id);
    link.answerProbe = async () => false;
    const ask = (method: string, rest: string) => customer.call(method, `/v1/instances/${id}${rest}`);
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'instances');
    link.restricts({ reason: 'reach_out_blocked', until: null });
    for (const query of ['?logout_only=true', ''])
      expect(await ask('DELETE', query)).toMatchObject(refusal(502, 'upstream_unavailable', { reason: 'store_unavailable' }));
    expect(await ask('GET', '/status')).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect((await ask('GET', '/qr-status')).body.data).toMatchObject({ status: 'open', check_incomplete: true });
    expect(link.ended).toBeNull();
    await comeBack();
    await stored({ restriction_reason: 'reach_out_blocked' });
    expect((await ask('DELETE', '?logout_only=true')).status).toBe(200);
    expect(link.ended).toBe('logged out');
  });

  it('gives a stop its way', async () => {
    const comeBack = await makeStoreUnavailable(gateway.app.store, 'instances');
    await network.link(id).closes('replaced');
    await clock.advanceAsync(1_000);
    await session()?.stop();
    expect(session()?.status).toBe(whileAway);
    await comeBack();
  });
});
