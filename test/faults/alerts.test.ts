import { expect, it } from 'vitest';
import { createTarget } from '../../src/alerts/index.ts';
import { createVault } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient } from './load-client.ts';
import { createGround } from './stores.ts';

const secretKey = 'ab'.repeat(32);
/** What is wrong is looked at every 5 s, and the turn that a killed server had taken must pass first. */
const heardOf = { timeout: 30_000 };

it.concurrent.each(storeKinds)('alerts of a server that is killed again and again arrive all the same, on %s', async (kind) => {
  const ground = await createGround(kind);
  const receiver = await startWebhookReceiver();
  const settings = { LOG_LEVEL: 'silent', SECRET_KEY: secretKey, MEDIA_ALLOW_HOSTS: receiver.allowed };
  try {
    const store = await ground.database.open();
    const accounts = await createSenders(store, 1, {});
    const first = ground.start(settings);
    const client = createLoadClient(await first.ready);
    const [sender] = await linkNumbers(client, accounts);
    if (sender === undefined) throw new Error('no sender');
    const vault = createVault(Buffer.from(secretKey, 'hex'));
    await createTarget({ store, vault }, { of: 'all', kind: 'webhook', address: receiver.url }, at(Date.now()));
    // The number is unlinked on its phone, and the server is gone before it can tell.
    const unlink = { path: '/sandbox/unlink', key: sender.key, body: { phone_number: sender.phoneNumber } };
    expect((await client.call(unlink)).status).toBe(200);
    const linked = () => store.db.selectFrom('instances').select('linked').where('id', '=', sender.instanceId).executeTakeFirst();
    await waitFor(async () => expect(await linked()).toEqual({ linked: 0 }));
    await first.kill();
    await client.close();

    // The next one is killed while the receiver answers nothing.
    receiver.status = null;
    const second = ground.start(settings);
    await second.ready;
    const notices = () => store.db.selectFrom('alert_notices').select('at').execute();
    await waitFor(async () => expect(await notices()).not.toEqual([]), heardOf);
    // What begins is gathered for 15 s: so the next look sends it.
    await store.db.updateTable('alert_notices').set({ at: 0 }).execute();
    await waitFor(() => expect(receiver.posts.length).toBeGreaterThan(0), heardOf);
    await second.kill();
    receiver.status = 204;
    // Whoever was sending has a minute for it before another one tries.
    await store.db.updateTable('alert_deliveries').set({ next_at: 0 }).execute();
    const third = ground.start(settings);
    await third.ready;
    await waitFor(
      () => expect(receiver.alerts()).toMatchObject([{ condition: 'number_needs_person', instance_id: sender.instanceId }]),
      heardOf,
    );
    const ids = new Set(receiver.posts.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
    await third.terminate();
  } finally {
    await ground.dispose();
    await receiver.close();
  }
});

it.each(storeKinds)('what became of messages is told although the server is killed before it can, on %s', async (kind) => {
  const ground = await createGround(kind);
  const receiver = await startWebhookReceiver();
  const settings = { LOG_LEVEL: 'silent', SECRET_KEY: secretKey, MEDIA_ALLOW_HOSTS: receiver.allowed };
  try {
    const store = await ground.database.open();
    const accounts = await createSenders(store, 1, {});
    const vault = createVault(Buffer.from(secretKey, 'hex'));
    const events = ['message.delivered', 'message.read'] as const;
    const wanted = { of: { accountId: accounts[0]?.accountId ?? '' }, kind: 'webhook', address: receiver.url, events } as const;
    await createTarget({ store, vault }, wanted, at(Date.now()));
    receiver.status = null;
    const first = ground.start(settings);
    const client = createLoadClient(await first.ready);
    const [sender] = await linkNumbers(client, accounts);
    if (sender === undefined) throw new Error('no sender');
    const answered: string[] = [];
    const send = async () => {
      // Whoever has this number reads at once.
      const body = { instance_id: sender.instanceId, to: '491701230006', text: 'x' };
      const answer = await client.call({ path: '/v1/messages/text', key: sender.key, body }).catch(() => null);
      if (answer?.status === 200) answered.push(answer.body.data.message_id);
    };
    // Some are told to a receiver that does not answer, the others to nobody, when the server is gone in the middle of sends.
    await Promise.all(Array.from({ length: 20 }, send));
    await waitFor(() => expect(receiver.posts.length).toBeGreaterThan(0), heardOf);
    const more = Array.from({ length: 200 }, send);
    await Promise.race(more);
    await first.kill();
    await Promise.all(more);
    await client.close();

    receiver.status = 204;
    // Whoever was sending has a minute for it before another one tries.
    await store.db.updateTable('alert_deliveries').set({ next_at: 0 }).execute();
    const second = ground.start(settings);
    await second.ready;
    expect(answered.length).toBeGreaterThan(20);
    const told = (event: string) => new Set(receiver.events().flatMap((one) => (one.event === event ? [one.message_id] : [])));
    await waitFor(() => {
      for (const event of events) expect(answered.filter((messageId) => !told(event).has(messageId))).toEqual([]);
    }, heardOf);
    await second.terminate();
  } finally {
    await ground.dispose();
    await receiver.close();
  }
});
