import { afterEach, describe, expect, it } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { oneInstance } from '../../src/sessions/queries.ts';
import { at } from '../support/act.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';

// Nobody listens there.
const nowhere = { WHATSAPP_URL: 'ws://127.0.0.1:1/ws/chat', WHATSAPP_WORKERS: '1' };

describe('the enabled networks', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  const customer = async () => {
    const { id } = await createAccount(gateway.app.store, { name: 'customer', plan: 'scale' }, at(Date.now()));
    const { key } = await createKey(gateway.app.store, id, { label: null }, at(Date.now()));
    return (method: string, path: string, body?: object) => gateway.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  };

  it.each([
    ['whatsapp,sandbox', 'whatsapp'],
    ['sandbox,whatsapp', 'sandbox'],
    ['whatsapp', 'whatsapp'],
  ])('the first of NETWORKS is the default: %s [network.choice settings.networks]', async (NETWORKS, first) => {
    gateway = await startGateway(anyStore, { env: { ...nowhere, NETWORKS } });
    const call = await customer();
    expect((await call('POST', '/v1/instances', {})).body.data).toMatchObject({ network: first });
    for (const network of NETWORKS.split(',')) {
      expect((await call('POST', '/v1/instances', { network })).body.data).toMatchObject({ network });
    }
    const sandbox = await call('GET', '/sandbox/messages?to=491701234500');
    expect(sandbox.status).toBe(NETWORKS.includes('sandbox') ? 200 : 404);
  });

  it('WhatsApp out of reach: the instance is made without a QR, /qr says when to retry, and the sandbox is not disturbed', async () => {
    gateway = await startGateway(anyStore, { env: { ...nowhere, NETWORKS: 'whatsapp,sandbox' } });
    const call = await customer();
    const created = await call('POST', '/v1/instances', {});
    expect(created.body.data).toMatchObject({ status: 'close', connected: false, qrcode: null });
    const path = `/v1/instances/${created.body.data.instance_id}`;
    const qr = await call('GET', `${path}/qr`);
    expect(qr).toMatchObject(refusal(503, 'qr_unavailable'));
    expect(qr.headers.get('retry-after')).toBe('3');
    expect((await call('GET', `${path}/status`)).body.data).toMatchObject({ status: 'close' });
    expect((await call('POST', '/v1/instances', { network: 'sandbox' })).body.data.qrcode).not.toBeNull();
    expect((await call('DELETE', path)).body.data).toMatchObject({ deleted: true });
  });

  it('numbers of one that is not enabled are listed and closed, and deleting them frees their slots [instances.list slot.freed]', async () => {
    gateway = await startGateway(anyStore, { env: { ...nowhere, NETWORKS: 'sandbox,whatsapp' } });
    const { accountId, key, linked } = await gateway.customer({ instanceLimit: 3 });
    const call = (method: string, path: string, body?: object) =>
      gateway.call(method, path, { key, ...(body === undefined ? {} : { body }) });
    const oldest = await linked('491710000700');
    const other: string = (await call('POST', '/v1/instances', { network: 'whatsapp' })).body.data.instance_id;
    const newest = await linked('491710000701');
    await gateway.restart({ env: { NETWORKS: 'whatsapp' } });

    const closed = { status: 'close', connected: false };
    const expected = [
      { instance_id: oldest, network: 'sandbox', phone_number: '491710000700', ...closed },
      { instance_id: other, network: 'whatsapp', phone_number: null, ...closed },
      { instance_id: newest, network: 'sandbox', phone_number: '491710000701', ...closed },
    ];
    const listed = async () => (await call('GET', '/v1/instances')).body.data.instances;
    expect(await listed()).toMatchObject(expected);
    const path = `/v1/instances/${oldest}`;
    expect((await call('GET', `/v1/instances/${oldest.toUpperCase()}/status`)).body.data).toEqual((await listed())[0]);
    expect((await call('PATCH', path, { label: 'Front desk' })).body.data).toEqual({
      instance_id: oldest,
      label: 'Front desk',
      status: 'close',
    });
    const sent = await call('POST', '/v1/messages/text', { instance_id: oldest, to: '491701234567', text: 'Hello' });
    expect(sent).toMatchObject(refusal(409, 'instance_not_connected'));
    expect(await call('POST', '/v1/instances', {})).toMatchObject(refusal(403, 'instance_limit_reached'));

    const isLinked = async () => (await oneInstance(gateway.app.store.db, accountId, oldest))?.linked;
    expect(await isLinked()).toBe(1);
    expect((await call('DELETE', `${path}?logout_only=true`)).body.data).toEqual({
      instance_id: oldest,
      status: 'close',
      disconnected: true,
    });
    expect(await isLinked()).toBe(0);
    expect(await listed()).toMatchObject([{ ...expected[0], label: 'Front desk' }, ...expected.slice(1)]);
    expect((await call('DELETE', path)).body.data).toEqual({ instance_id: oldest, deleted: true });
    for (const [method, of] of [
      ['GET', `${path}/status`],
      ['PATCH', path],
      ['DELETE', path],
    ] as const)
      expect(await call(method, of, method === 'PATCH' ? { label: 'Gone' } : undefined)).toMatchObject(refusal(404, 'instance_not_found'));
    expect(await listed()).toMatchObject(expected.slice(1));
    const stranger = await gateway.customer();
    expect(await stranger.call('DELETE', `/v1/instances/${newest}`)).toMatchObject(refusal(404, 'instance_not_found'));
    expect((await call('POST', '/v1/instances', {})).status).toBe(200);
  });
});
