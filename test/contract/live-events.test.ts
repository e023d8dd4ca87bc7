import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedEvent } from '../../src/core/index.ts';
import { findRequest } from '../../src/requests/index.ts';
import { selectRequest } from '../../src/requests/queries.ts';
import { historyRows } from '../../src/sessions/history/queries.ts';
import type { LiveEvent } from '../../src/sessions/index.ts';
import type { Customer, TestGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const phone = '491710000800';
const secretWords = 'the words of the message';

/** Listens to an account, or to all; with what it has heard so far. */
function listen(gateway: TestGateway, scope: string) {
  const { feed } = gateway.app;
  const heard: FeedEvent<LiveEvent>[] = [];
  /** What is told of rows that are written later than the rest happens, so between any two of its events. */
  const stored: FeedEvent<LiveEvent>[] = [];
  const leave = feed.subscribe(scope, (told) => void (told.event.type === 'numbers_stored' ? stored : heard).push(told));
  return {
    heard,
    stored,
    leave,
    begin: feed.last,
    events: () => heard.map(({ event }) => event),
    /** Resolves when the latest event looks like this. */
    hears: (event: object) => waitFor(() => expect(heard.at(-1)?.event).toMatchObject(event)),
  };
}

describe('what is told live', () => {
  const clock = createManualClock();
  let customer: Customer;
  let ear: ReturnType<typeof listen>;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeEach(async () => {
    customer = await gateway.customer();
    ear = listen(gateway, customer.accountId);
  });
  afterEach(() => ear.leave());
  const create = async (body: object = {}) => (await customer.call('POST', '/v1/instances', body)).body.data;
  const scan = (code: string) => customer.call('POST', '/sandbox/scan', { code, phone_number: phone });
  const stateOf = (instanceId: string) => ({
    instanceId,
    label: 'Desk',
    status: 'close',
    phoneNumber: null,
    network: 'sandbox',
    createdAt: clock.now(),
    restriction: null,
    newChats: null,
  });

  it('an instance from its first code to its end', async () => {
    const { instance_id: instanceId, qrcode } = await create({ label: 'Desk' });
    const state = stateOf(instanceId);
    const code = { type: 'pairing', instanceId, step: 'code', sequence: 1, limit: 5, expiresAt: clock.now() + 60_000 };
    expect(ear.events()).toEqual([
      { type: 'instance_created', instance: state },
      { type: 'instance_changed', instance: { ...state, status: 'connecting' } },
      code,
    ]);
    expect(gateway.session(customer.accountId, instanceId)?.attempt?.expiresAt).toBe(code.expiresAt);
    await scan(qrcode.code);
    const open = { ...state, status: 'open', phoneNumber: phone };
    await ear.hears({ type: 'instance_changed', instance: open });

    await customer.call('PATCH', `/v1/instances/${instanceId}`, { label: 'Shop' });
    await customer.call('PATCH', `/v1/instances/${instanceId}`, { label: 'Shop' });
    await customer.call('DELETE', `/v1/instances/${instanceId}?logout_only=true`);
    await customer.call('DELETE', `/v1/instances/${instanceId}`);
    const named = { ...open, label: 'Shop' };
    expect(ear.events().slice(4)).toEqual([
      { type: 'instance_changed', instance: named },
      { type: 'instance_changed', instance: { ...named, status: 'close' } },
      { type: 'instance_removed', instanceId },
    ]);
    expect(JSON.stringify(ear.heard)).not.toContain(qrcode.code);
    const numbers = ear.heard.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(ear.heard.map(({ accountId }) => accountId))).toEqual(new Set([customer.accountId]));
  });

  it('every code of an attempt and that the last one ran out', async () => {
    const { instance_id: instanceId } = await create();
    const begin = clock.now();
    for (const [i, lifetime] of [60_000, 20_000, 20_000, 20_000].entries()) {
      clock.advance(lifetime);
      await ear.hears({ type: 'pairing', instanceId, step: 'code', sequence: i + 2, limit: 5, expiresAt: clock.now() + 20_000 });
    }
    clock.advance(20_000);
    await ear.hears({ type: 'pairing', instanceId, step: 'exhausted' });
    expect(clock.now() - begin).toBe(140_000);
    const session = gateway.session(customer.accountId, instanceId);
    // Whoever hears it finds it so.
    expect(session).toMatchObject({ status: 'close', attempt: { exhausted: true, expiresAt: null } });
    expect(ear.events().filter(({ type }) => type === 'instance_changed')).toMatchObject([
      { instance: { status: 'connecting' } },
      { instance: { status: 'close' } },
    ]);
    await customer.call('GET', `/v1/instances/${instanceId}/qr`);
    await ear.hears({ type: 'pairing', instanceId, step: 'code', sequence: 1 });
  });

  it('that a scanned number is connected on another instance', async () => {
    await customer.linked(phone);
    const { instance_id: instanceId, qrcode } = await create();
    await scan(qrcode.code);
    await ear.hears({ type: 'pairing', instanceId, step: 'conflict' });
    expect((await customer.call('GET', `/v1/instances/${instanceId}/status`)).body.error.code).toBe('number_already_connected');
  });

  it("nothing of another account's, except to those who listen to all", async () => {
    const all = listen(gateway, 'all');
    const other = await gateway.customer();
    const id = await other.linked();
    await other.send('text', { instance_id: id, to: '491701234500', text: secretWords });
    expect(ear.heard).toEqual([]);
    all.leave();
    expect(all.events().map(({ type }) => type)).toEqual(['instance_created', 'instance_changed', 'pairing', 'instance_changed']);
    expect(all.heard.every(({ accountId }) => accountId === other.accountId)).toBe(true);
  });

  it('each send as the request log has it, well or badly ended, and never what it said', async () => {
    const id = await customer.linked();
    const count = ear.heard.length;
    const body = { instance_id: id, to: '491701234500', text: secretWords };
    const sent = await customer.send('text', body);
    await ear.hears({ type: 'send', send: { request_id: sent.body.request_id, message_id: sent.body.data.message_id } });
    const refused = await customer.send('text', { ...body, to: '491701230000' });
    await ear.hears({ type: 'send', send: { request_id: refused.body.request_id, code: 'invalid_recipient', recipient: '491701230000' } });
    await customer.call('GET', '/v1/instances');
    const logged = await Promise.all([sent, refused].map(({ body }) => findRequest(gateway.app.store, body.request_id)));
    expect(ear.events().slice(count)).toEqual(logged.map((send) => ({ type: 'send', send })));
    expect(JSON.stringify(ear.heard)).not.toContain(secretWords);
  });

  it('a send, and what has happened to a number, as soon as it can be read and not before', async () => {
    const { feed, store } = gateway.app;
    const id = await customer.linked();
    /** What is read in the moment of each event. */
    const read: { readonly sends: Promise<unknown>[]; newest: Promise<unknown> } = { sends: [], newest: Promise.resolve() };
    const leave = feed.subscribe(customer.accountId, ({ event }) => {
      if (event.type === 'send') read.sends.push(selectRequest(store.db, event.send.request_id));
      if (event.type === 'numbers_stored') read.newest = historyRows(store.db, id, 1).then(([newest]) => newest);
    });
    await customer.send('text', { instance_id: id, to: '491701234500', text: 'Hello' });
    await waitFor(() => expect(read.sends).toHaveLength(1));
    expect(await read.sends[0]).toMatchObject({ instance_id: id, message_type: 'text' });
    await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
    await waitFor(async () => expect(await read.newest).toMatchObject({ event: 'disconnected' }));
    leave();
    expect(ear.stored.at(-1)).toMatchObject({ accountId: customer.accountId, event: { instanceIds: [id] } });
  });

  it('what was missed to one who comes back in time, and that all is to be loaded anew after a restart', async () => {
    const id = await customer.linked();
    ear.leave();
    const { number } = ear.heard.at(-1) ?? { number: Number.NaN };
    const { feed } = gateway.app;
    const missed = () => feed.since(customer.accountId, number)?.filter(({ event }) => event.type !== 'numbers_stored');
    clock.advance(4 * 60_000);
    await customer.send('text', { instance_id: id, to: '491701234500', text: 'Hello' });
    await waitFor(() => expect(missed()).toHaveLength(1));
    await customer.call('PATCH', `/v1/instances/${id}`, { label: 'Shop' });
    await waitFor(() => expect(missed()).toHaveLength(2));
    ear = listen(gateway, customer.accountId);
    expect(missed()).toMatchObject([
      { event: { type: 'send', send: { instance_id: id } } },
      { event: { type: 'instance_changed', instance: { label: 'Shop' } } },
    ]);

    clock.advance(1);
    await gateway.restart();
    ear = listen(gateway, customer.accountId);
    expect(gateway.app.feed.since(customer.accountId, number)).toBeNull();
    await customer.reaches(id, 'open');
    expect(ear.events().filter(({ type }) => type === 'instance_created')).toEqual([]);
    ear.leave();
  });
});

describe('what is told live of a network that tells only what it is asked to', () => {
  const clock = createManualClock();
  const network = new ScriptedNetwork();
  let customer: Customer;
  let id: string;
  let ear: ReturnType<typeof listen>;
  const { gateway } = useGateway({ store: 'sqlite', overrides: { clock, networks: () => [network] } });
  beforeEach(async () => {
    customer = await gateway.customer();
    id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    ear = listen(gateway, customer.accountId);
  });
  afterEach(() => ear.leave());

  it('no sends while nobody listens to their account', async () => {
    await network.link(id).pairs(phone);
    await ear.hears({ instance: { status: 'open' } });
    await waitFor(() => expect(ear.stored).toHaveLength(1));
    const send = async () => {
      const answer = await customer.send('text', { instance_id: id, to: '491701234500', text: 'Hello' });
      await findRequest(gateway.app.store, answer.body.request_id);
    };
    ear.leave();
    clock.advance(5 * 60_000 - 1);
    const { last } = gateway.app.feed;
    await send();
    expect(gateway.app.feed.last).toBe(last + 1);
    clock.advance(1);
    await send();
    expect(gateway.app.feed.last).toBe(last + 1);
  });

  it('once that there is a code to type, not the code', async () => {
    const link = network.link(id);
    link.answerPairingCode = async () => 'TYPE1234';
    for (let poll = 0; poll < 2; poll++) await customer.call('GET', `/v1/instances/${id}/qr?phone_number=${phone}`);
    link.answerPairingCode = async () => null;
    await customer.call('GET', `/v1/instances/${id}/qr?phone_number=491710000801`);
    expect(ear.events()).toEqual([{ type: 'pairing', instanceId: id, step: 'typed_code' }]);
  });

  it('that it wants a passkey', async () => {
    const link = network.link(id);
    link.passkey({ stage: 'requested' });
    await ear.hears({ type: 'pairing', instanceId: id, step: 'passkey', stage: 'requested' });
    link.passkey({ stage: 'failed', reason: 'It did.' });
    await ear.hears({ step: 'passkey', stage: 'failed' });
    expect(ear.events()).toMatchObject([
      { stage: 'requested' },
      { type: 'instance_changed', instance: { status: 'close' } },
      { stage: 'failed' },
    ]);
  });

  it('a restriction and its end, a lost connection and its return, each once', async () => {
    const link = network.link(id);
    await link.pairs(phone);
    await ear.hears({ instance: { status: 'open' } });
    const restriction = { reason: 'reach_out_blocked', until: clock.now() + 60_000 } as const;
    link.restricts(restriction);
    link.restricts({ ...restriction });
    await ear.hears({ instance: { restriction } });
    link.restricts(null);
    await ear.hears({ instance: { restriction: null } });
    network.onOpen = (opened) => opened.opens(phone);
    await link.closes('lost');
    await ear.hears({ instance: { status: 'connecting' } });
    clock.advance(1000);
    await ear.hears({ instance: { status: 'open' } });
    await network.link(id).closes('unlinked');
    await ear.hears({ instance: { status: 'close', phoneNumber: phone } });
    expect(ear.heard).toHaveLength(6);
  });
});
