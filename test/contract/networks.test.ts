import { afterEach, describe, expect, it } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
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
});
