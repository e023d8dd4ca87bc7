import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listKeys, revokeKey } from '../../src/accounts/index.ts';
import { prepareDemo, welcome } from '../../src/app/demo.ts';
import { systemClock } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { startGateway } from '../support/gateway.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

describe.each(storeKinds)('a first message on %s', (kind) => {
  const { gateway, customer } = useGateway({ store: kind });

  it('goes from a new account over a paired number to the contact [service.linked idem.optional]', async () => {
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

  it('sends once per idempotency key [idem.replay]', async () => {
    const instance_id = await customer.linked('491710000102');
    const body = { instance_id, to: '491701234569', text: 'Once' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => customer.send('text', body, { 'idempotency-key': 'order-1042' })));
    expect(new Set(answers.map((answer) => answer.body.data.message_id)).size).toBe(1);
    expect(answers.map((answer) => answer.headers.get('idempotency-replayed')).sort()).toEqual(['false', 'true', 'true', 'true']);
    expect(await customer.received('491701234569')).toHaveLength(1);
  });

  it('can be pasted from what the demo prints, and a second start finds the same account, key and number again [start.demo]', async () => {
    const demo = await prepareDemo(gateway.app, systemClock);
    const { address } = gateway;
    const printed = welcome(address, demo, null);
    expect(printed).toContain(demo.key);
    const [, url = '', key = '', once = '', body = ''] =
      /curl -s (\S+) -H 'apikey: (\S+)' -H 'idempotency-key: (\S+)' -H 'content-type: application\/json' -d '(.*)'/.exec(printed) ?? [];
    const [, messages = ''] = /curl -s '(\S+)' -H/.exec(printed) ?? [];
    const path = (pasted: string) => pasted.slice(address.length);
    expect([url, messages].every((pasted) => pasted.startsWith(`${address}/`))).toBe(true);
    const paste = () => gateway.call('POST', path(url), { key, body, headers: { 'idempotency-key': once } });
    const sent = await paste();
    expect(sent.status).toBe(200);
    // Pasted again it sends nothing again.
    expect((await paste()).headers.get('idempotency-replayed')).toBe('true');
    const received = (await gateway.call('GET', path(messages), { key })).body.data.messages;
    expect(received).toMatchObject([{ message_id: sent.body.data.message_id, content: { text: JSON.parse(body).text } }]);

    expect(await prepareDemo(gateway.app, systemClock)).toEqual(demo);
  });

  it('has one demo key however often it starts, kept for its owner only; a new one when it was revoked or its file is gone', async () => {
    const first = await prepareDemo(gateway.app, systemClock);
    const live = async () =>
      (await listKeys(gateway.app.store, first.accountId)).filter(({ revoked_at }) => revoked_at === null).map(({ prefix }) => prefix);
    await gateway.restart();
    const second = await prepareDemo(gateway.app, systemClock);
    expect(second).toEqual(first);
    expect(await live()).toEqual([first.key.slice(0, 12)]);
    const file = join(gateway.app.config.dataDir, 'demo.key');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${first.key}\n`, 0o600]);

    const [{ id } = { id: '' }] = (await listKeys(gateway.app.store, first.accountId)).filter(({ revoked_at }) => revoked_at === null);
    await revokeKey(gateway.app.store, id, at(systemClock.now()));
    const third = await prepareDemo(gateway.app, systemClock);
    expect(third.key).not.toBe(first.key);
    rmSync(file);
    const fourth = await prepareDemo(gateway.app, systemClock);
    expect(fourth.key).not.toBe(third.key);
    // The third was never used, and nobody knows it any more.
    expect(await live()).toEqual([fourth.key.slice(0, 12)]);
  });

  it('takes a sandbox number for the demo, whatever the default network is', async () => {
    // The driver is not needed for this: WhatsApp's is loaded with the first number.
    const env = { NETWORKS: 'whatsapp,sandbox', WHATSAPP_URL: 'ws://127.0.0.1:1' };
    const other = await startGateway(kind, { env });
    const { instanceId, accountId } = await prepareDemo(other.app, systemClock);
    // Of several servers another one may have it.
    await waitFor(() => expect(other.session(accountId, instanceId)?.linked).toBe(true));
    expect(other.session(accountId, instanceId)?.network.name).toBe('sandbox');
    await other.stop();
    const without = await startGateway(kind, { env: { ...env, NETWORKS: 'whatsapp' } });
    await expect(prepareDemo(without.app, systemClock)).rejects.toThrow(/^the demo needs the sandbox network: .*NETWORKS/);
    await without.stop();
  });
});
