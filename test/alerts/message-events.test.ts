import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount, createProvider } from '../../src/accounts/index.ts';
import { dropOverflow } from '../../src/alerts/gather.ts';
import { Alerts, createTarget, type EventName, listDeliveries, MessageEvents, removeTarget, updateTarget } from '../../src/alerts/index.ts';
import { shownBody } from '../../src/cli/alert-words.ts';
import { createVault, LastingTime, newId, systemClock } from '../../src/core/index.ts';
import { createLanguages } from '../../src/language/index.ts';
import { createAddressGuard, createWebhookPost } from '../../src/media/index.ts';
import type { Link, Network, SandboxPhones } from '../../src/networks/index.ts';
import { createSandboxNetwork } from '../../src/networks/sandbox/sandbox-network.ts';
import { deliveryView } from '../../src/portal/alert-views.ts';
import { selectRequest } from '../../src/requests/queries.ts';
import type { Store } from '../../src/store/index.ts';
import { openLink } from '../networks/fixture.ts';
import { textMessage } from '../networks/outgoing.ts';
import { at } from '../support/act.ts';
import { noBrands, wholeMessageRound } from '../support/alert-rounds.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { refuseRows } from '../support/refused-writes.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const hourMs = 60 * 60_000;
const ordinary = '34600111222';
const reads = '34600110006';
const loses = '34600110007';

const languages = createLanguages();

describe.each(storeKinds)('events of messages on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let clock: ManualClock;
  let receiver: WebhookReceiver;
  let network: Network & SandboxPhones;
  let messages: MessageEvents;
  let account: string;
  let logged: object[];
  const vault = createVault(Buffer.alloc(32, 1));
  beforeEach(async () => {
    clock = createManualClock();
    database = await createTestDatabase(kind);
    store = await database.open();
    receiver = await startWebhookReceiver();
    logged = [];
    account = (await createAccount(store, { name: 'Acme', plan: 'scale' }, at(clock.now()))).id;
    const { db, transaction, deliverToSandbox } = store;
    network = createSandboxNetwork({ db, transaction, deliverToSandbox, clock, time: new LastingTime(clock) });
    messages = new MessageEvents({ store, clock, now: async () => clock.now(), log });
  });
  afterEach(async () => {
    await network.close();
    await receiver.close();
    await store.close();
    await database.dispose();
  });
  const log = { warn: (fields: object) => void logged.push(fields), error: (fields: object) => void logged.push(fields) };

  /** What a server does with them; several stand for several servers. */
  function alerts(): Alerts {
    const guard = createAddressGuard({ allowHosts: [receiver.allowed] });
    const webhooks = createWebhookPost({ guard, clock: systemClock });
    return new Alerts({
      store,
      vault,
      clock,
      now: async () => clock.now(),
      webhooks,
      languages,
      brands: noBrands,
      publicUrl: null,
      sendMail: null,
      random: () => 0.5,
      measuring: null,
      messages,
      log,
    });
  }
  type Created = Parameters<typeof createTarget>[1];
  const webhook = async (events: EventName[], more: Partial<Pick<Created, 'of' | 'address' | 'quietHours'>> = {}) => {
    const wanted: Created = { of: { accountId: account }, kind: 'webhook', address: receiver.url, events, ...more };
    const created = await createTarget({ store, vault }, wanted, at(clock.now()));
    await messages.look();
    return created;
  };
  /** A linked number of an account, followed as the sessions do it. */
  async function number(of = account): Promise<{ id: string; link: Link; send(to: string): Promise<string> }> {
    const id = newId();
    const report: MessageEvents['report'] = (whose, news) => messages.report(whose, news);
    const opened = openLink(
      {
        accountId: of,
        network: {
          ...network,
          open: (context) => network.open({ ...context, storeEvents: (news) => report({ accountId: of, instanceId: id }, news) }),
        },
      },
      { instanceId: id },
    );
    await network.scan(of, (await opened.log.next('code')).code, '491701234567');
    await opened.log.next('open');
    const { link } = opened;
    link.follow(messages.wanted(of));
    messages.onChange(() => link.follow(messages.wanted(of)));
    const send = async (to: string) => {
      const message = textMessage(network, to, 'Nobody else reads this');
      expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
      return message.messageId;
    };
    return { id, link, send };
  }
  const rows = () => store.db.selectFrom('message_events').selectAll().orderBy('id').execute();
  const events = () => receiver.events().map(({ event, message_id }) => [event, message_id]);

  it('are sent to nobody unless a webhook wants them', async () => {
    await webhook([]);
    const { send } = await number();
    await send(reads);
    await send(loses);
    expect(messages.anyWanted).toBe(false);
    await wholeMessageRound(alerts());
    expect([await rows(), receiver.posts]).toEqual([[], []]);
  });

  it('are sent in order, many in one delivery, signed, and without content or recipient', async () => {
    const { target, secret } = await webhook(['message.delivered', 'message.read', 'message.lost']);
    const { id, send } = await number();
    const sent = [await send(ordinary), await send(reads), await send(loses)];
    await wholeMessageRound(alerts());
    expect(receiver.posts).toHaveLength(1);
    const [first, second, third] = sent;
    const of = { instance_id: id, account_id: account, at: new Date(clock.now()).toISOString() };
    const [post] = receiver.posts;
    expect(JSON.parse(post?.body ?? '')).toEqual({
      type: 'messages',
      timestamp: new Date(clock.now()).toISOString(),
      data: {
        events: [
          { event: 'message.delivered', message_id: first, ...of },
          { event: 'message.delivered', message_id: second, ...of },
          { event: 'message.read', message_id: second, ...of },
          { event: 'message.lost', message_id: third, ...of },
        ],
      },
    });
    const { 'webhook-id': delivery, 'webhook-signature': signature } = post?.headers ?? {};
    expect(new Webhook(secret ?? '').sign(String(delivery), new Date(clock.now()), post?.body ?? '')).toBe(signature);
    expect(await network.messages(account, loses)).toMatchObject({ messages: [] });

    // They are pushed, and never shown: neither in the portal nor on the command line.
    const [row] = await listDeliveries(store, target.id);
    if (row === undefined) throw new Error('no delivery');
    expect(deliveryView(languages('en').t, row)).toMatchObject({ type: 'messages', state: 'delivered', alerts: 0, told: [], events: 4 });
    for (const shown of [deliveryView(languages('en').t, row), shownBody(JSON.parse(row.body))])
      for (const messageId of sent) expect(JSON.stringify(shown)).not.toContain(messageId);
  });

  it('come in quiet hours too, which are for people', async () => {
    // It is midnight.
    await webhook(['message.delivered'], { quietHours: { from: 22 * 60, to: 7 * 60, timeZone: 'UTC' } });
    const { send } = await number();
    const messageId = await send(ordinary);
    await wholeMessageRound(alerts());
    expect(events()).toEqual([['message.delivered', messageId]]);
  });

  it('wait for a receiver that is down, together, and come in order when it is back', async () => {
    await webhook(['message.delivered', 'message.read']);
    const { send } = await number();
    receiver.status = 503;
    const expected: string[][] = [];
    const by = alerts();
    for (let n = 0; n < 20; n++) {
      const messageId = await send(reads);
      expected.push(['message.delivered', messageId], ['message.read', messageId]);
      await wholeMessageRound(by);
      clock.advance(1_000);
    }
    receiver.status = 204;
    clock.advance(2 * hourMs);
    const before = receiver.posts.length;
    await wholeMessageRound(by);
    expect(events()).toEqual(expected);
    expect(receiver.posts.length - before).toBe(2);
  });

  it('go to those who want them: of an account, of its provider, of everything', async () => {
    const provider = await createProvider(store, { name: 'Reseller' }, at(clock.now()));
    const { id: theirs } = await createAccount(store, { name: 'Theirs', plan: 'scale', providerId: provider.id }, at(clock.now()));
    const targets = {
      all: await webhook(['message.read'], { of: 'all' }),
      ofProvider: await webhook(['message.delivered', 'message.read'], { of: { providerId: provider.id } }),
      ofOther: await webhook(['message.delivered'], { of: { accountId: account } }),
    };
    const { send } = await number(theirs);
    await send(reads);
    await wholeMessageRound(alerts());
    const eventsOf = async ({ target }: (typeof targets)['all']) =>
      (await listDeliveries(store, target.id)).flatMap(({ body }) =>
        JSON.parse(body).data.events.map(({ event }: { event: string }) => event),
      );
    expect(await eventsOf(targets.all)).toEqual(['message.read']);
    expect(await eventsOf(targets.ofProvider)).toEqual(['message.delivered', 'message.read']);
    expect(await eventsOf(targets.ofOther)).toEqual([]);
  });

  it('are sent once, however often they are reported, and only of messages that were sent here', async () => {
    await webhook(['message.delivered', 'message.read', 'message.lost']);
    const of = { accountId: account, instanceId: newId() };
    const unsure = { at: null, sentHere: false };
    await messages.report(of, [{ event: 'delivered', messageId: 'FROM-THE-PHONE', ...unsure }]);
    await messages.report(of, [{ event: 'delivered', messageId: 'KNOWN', at: null, sentHere: true }]);
    await Promise.all([1, 2, 3].map(() => messages.report(of, [{ event: 'delivered', messageId: 'KNOWN', ...unsure }])));
    await messages.report(of, [{ event: 'read', messageId: 'KNOWN', ...unsure }]);
    await messages.report({ ...of, instanceId: newId() }, [{ event: 'read', messageId: 'KNOWN', ...unsure }]);
    await wholeMessageRound(alerts());
    await messages.report(of, [{ event: 'read', messageId: 'KNOWN', ...unsure }]);
    await wholeMessageRound(alerts());
    expect(events()).toEqual([
      ['message.delivered', 'KNOWN'],
      ['message.read', 'KNOWN'],
    ]);
  });

  it('a message that is read is known by its delivery, also where only the reading is wanted', async () => {
    await webhook(['message.read']);
    const of = { accountId: account, instanceId: newId() };
    expect([...messages.wanted(account)]).toEqual(['delivered', 'read']);
    await messages.report(of, [{ event: 'delivered', messageId: 'KNOWN', at: null, sentHere: true }]);
    await messages.report(of, [{ event: 'read', messageId: 'KNOWN', at: null, sentHere: false }]);
    await wholeMessageRound(alerts());
    expect(events()).toEqual([['message.read', 'KNOWN']]);
  });

  it('a lost message that is kept no more is known by the request log', async () => {
    await webhook(['message.lost']);
    const of = { accountId: account, instanceId: newId() };
    const requestId = newId();
    store.hot.log({
      ...{ request_id: requestId, at: clock.now(), duration_ms: 1, account_id: account, key_id: null, person_id: null, person_email: null },
      ...{ method: 'POST', path: '/v1/messages/text', status: 200, code: null, error_message: null, instance_id: of.instanceId },
      ...{ message_type: 'text', message_id: 'LOGGED', recipient: ordinary, media_host: null, idempotency: null, stages: null },
    });
    await waitFor(async () => expect(await selectRequest(store.db, requestId)).toBeDefined());
    for (const messageId of ['LOGGED', 'UNHEARD-OF']) await messages.report(of, [{ event: 'lost', messageId, at: null, sentHere: false }]);
    await wholeMessageRound(alerts());
    expect(events()).toEqual([['message.lost', 'LOGGED']]);
  });

  it('a send is not acknowledged while what becomes of it cannot be stored, and reported when it is repeated', async () => {
    await webhook(['message.delivered']);
    const { link } = await number();
    const accept = await refuseRows(store, 'message_events');
    const message = textMessage(network, ordinary);
    expect(await link.send(message)).toEqual({ outcome: 'unknown' });
    await accept();
    expect(await link.send(message)).toMatchObject({ outcome: 'accepted' });
    await wholeMessageRound(alerts());
    expect(events()).toEqual([['message.delivered', message.messageId]]);
  });

  it('are gathered by one of several servers', async () => {
    await webhook(['message.delivered']);
    const { send } = await number();
    const sent = [await send(ordinary), await send(ordinary)];
    const servers = [alerts(), alerts(), alerts()];
    await Promise.all(servers.map((server) => wholeMessageRound(server)));
    expect(events()).toEqual(sent.map((messageId) => ['message.delivered', messageId]));
    expect(receiver.posts).toHaveLength(1);
  });

  it('are given up after a day, or when too many wait, and the log says how many', async () => {
    const { target } = await webhook(['message.delivered']);
    const { send } = await number();
    for (let n = 0; n < 5; n++) await send(ordinary);
    await dropOverflow({ store, now: clock.now(), log }, 3);
    expect((await rows()).map((row) => row.sent)).toEqual([1, 1, 0, 0, 0]);
    clock.advance(25 * hourMs);
    const last = await send(ordinary);
    await wholeMessageRound(alerts());
    expect(events()).toEqual([['message.delivered', last]]);
    expect(logged).toEqual([
      { target: target.id, dropped: 2 },
      { target: target.id, dropped: 3 },
    ]);
  });

  it('that are not wanted any more are not sent, those that wait included', async () => {
    const { target } = await webhook(['message.delivered', 'message.read']);
    const { send } = await number();
    const before = await send(reads);
    await updateTarget(store, target.id, { events: ['message.read'] }, at(clock.now()));
    await wholeMessageRound(alerts());
    expect(events()).toEqual([['message.read', before]]);
    await updateTarget(store, target.id, { events: [] }, at(clock.now()));
    await messages.look();
    await send(reads);
    await wholeMessageRound(alerts());
    expect(events()).toHaveLength(1);
    await removeTarget(store, target.id, at(clock.now()));
    expect((await rows()).filter((row) => row.sent === 0)).toEqual([]);
  });

  it('are for webhooks, and a target gets something', async () => {
    const create = (more: Partial<Created>) =>
      createTarget({ store, vault }, { of: 'all', kind: 'mail', address: 'ops@example.com', ...more }, at(clock.now()));
    await expect(create({ events: ['message.read'] })).rejects.toThrow('only webhooks can get message events');
    await expect(create({ conditions: [] })).rejects.toThrow('needs at least one condition or event');
    const { target } = await webhook(['message.read'], { of: 'all' });
    await updateTarget(store, target.id, { conditions: [] }, at(clock.now()));
    await expect(updateTarget(store, target.id, { events: [] }, at(clock.now()))).rejects.toThrow('needs at least one condition or event');
  });
});
