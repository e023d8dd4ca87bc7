import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listKeys } from '../../src/accounts/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { prepareDemo, welcome } from '../../src/demo.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { storeKinds } from '../support/stores.ts';

describe.each(storeKinds)('a first message on %s', (kind) => {
  let gateway: TestGateway;
  let customer: Customer;
  beforeAll(async () => {
    gateway = await startGateway(kind);
    customer = await gateway.customer();
  });
  afterAll(() => gateway.stop());

  it('goes from a new account over a paired number to the contact', async () => {
    const instance_id = await customer.linked('491710000100');
    const sent = await customer.send('text', { instance_id, to: '+49 (170) 123-4567', text: 'Hello  \n' });
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({
      success: true,
      data: { instance_id, to: '491701234567', type: 'text', status: 'sent', provider_status: 'PENDING' },
    });
    expect(await customer.received('491701234567')).toMatchObject([
      {
        message_id: sent.body.data.message_id,
        from: '491710000100',
        to: '491701234567',
        type: 'text',
        content: { text: 'Hello' },
        quoted: null,
      },
    ]);
  });

  it('keeps the number linked over a restart', async () => {
    const instance_id = await customer.linked('491710000101');
    await gateway.restart();
    const sent = await customer.send('text', { instance_id, to: '491701234568', text: 'Still here' });
    expect(sent.body).toMatchObject({ success: true });
  });

  it('sends once per idempotency key', async () => {
    const instance_id = await customer.linked('491710000102');
    const body = { instance_id, to: '491701234569', text: 'Once' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => customer.send('text', body, { 'idempotency-key': 'order-1042' })));
    expect(new Set(answers.map((answer) => answer.body.data.message_id)).size).toBe(1);
    expect(answers.map((answer) => answer.headers.get('idempotency-replayed')).sort()).toEqual(['false', 'true', 'true', 'true']);
    expect(await customer.received('491701234569')).toHaveLength(1);
  });

  it('can be pasted from what the demo prints, and a second start finds the same account and number again', async () => {
    const demo = await prepareDemo(gateway.app, systemClock);
    const printed = welcome(gateway.address, demo, null);
    expect(printed).toContain(demo.key);
    const [, url = '', key = '', body = ''] =
      /curl -s (\S+) -H 'apikey: (\S+)' -H 'content-type: application\/json' -d '(.*)'/.exec(printed) ?? [];
    const [, messages = ''] = /curl -s '(\S+)' -H/.exec(printed) ?? [];
    const path = (address: string) => address.slice(gateway.address.length);
    expect([url, messages].every((address) => address.startsWith(`${gateway.address}/`))).toBe(true);
    const sent = await gateway.call('POST', path(url), { key, body });
    expect(sent.status).toBe(200);
    const received = (await gateway.call('GET', path(messages), { key })).body.data.messages;
    expect(received).toMatchObject([{ message_id: sent.body.data.message_id, content: { text: JSON.parse(body).text } }]);

    const again = await prepareDemo(gateway.app, systemClock);
    expect(again).toEqual({ ...demo, key: expect.not.stringMatching(demo.key) });
    // A key that was used keeps working; one that never was is worth nothing to anybody.
    expect((await prepareDemo(gateway.app, systemClock)).accountId).toBe(demo.accountId);
    const keys = await listKeys(gateway.app.store, demo.accountId);
    const state = (shown: string) => keys.find(({ prefix }) => shown.startsWith(prefix))?.revoked_at === null;
    expect([state(demo.key), state(again.key)]).toEqual([true, false]);
  });

  it('takes a sandbox number for the demo, whatever the default network is', async () => {
    // The driver is not needed for this: WhatsApp's is loaded with the first number.
    const env = { NETWORKS: 'whatsapp,sandbox', WHATSAPP_URL: 'ws://127.0.0.1:1' };
    const other = await startGateway(kind, { env });
    const { instanceId, accountId } = await prepareDemo(other.app, systemClock);
    expect(other.app.sessions.find(accountId, instanceId)).toMatchObject({ linked: true, network: { name: 'sandbox' } });
    await other.stop();
    const without = await startGateway(kind, { env: { ...env, NETWORKS: 'whatsapp' } });
    await expect(prepareDemo(without.app, systemClock)).rejects.toThrow(/^the demo needs the sandbox network: .*NETWORKS/);
    await without.stop();
  });
});
