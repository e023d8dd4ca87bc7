import { EventEmitter } from 'node:events';
import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { PeerMutex } from '../../src/networks/whatsapp/worker/library/signal-repository.ts';
import { Acks } from '../../src/networks/whatsapp/worker/sending/acks.ts';
import { createLinkMemory, type Wire } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';
import { Resending } from '../../src/networks/whatsapp/worker/sending/receipts/resending.ts';
import { KeptMessages, SentMessages } from '../../src/networks/whatsapp/worker/sending/receipts/sent-messages.ts';
import type { Ready } from '../../src/networks/whatsapp/worker/sending/stanza.ts';
import { waitFor } from '../support/wait-for.ts';
import { createSendingRig, type SendingRig, textTo } from './whatsapp-sending-rig.ts';

const me = '491701234567';
const other = '34600111222';

describe('a retry', () => {
  let server: WhatsAppServer;
  let rig: SendingRig;
  beforeEach(async () => {
    server = await startWhatsAppServer({ strictness: { refreshAtScan: false } });
    rig = await createSendingRig(server, me, { acknowledgementMs: 4_000, retryPauseMs: 1 });
  });
  afterEach(async () => {
    await rig.close();
    await server.close();
  });
  const onTheWire = (id: string) => server.record.stanzas.filter((stanza) => stanza.id === id).length;
  const lost = () => rig.warnings.filter((line) => line.includes('is lost'));

  test('that is refused again and again is given up after five times, and logged once', async () => {
    server.faults.onMessage({ to: other }, { kind: 'undecryptable' });
    server.faults.onMessage({ to: other, times: Number.POSITIVE_INFINITY }, { kind: 'refuse', code: 479 });
    const message = textTo(other, 'in vain');
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
    await waitFor(() => expect(lost()).toHaveLength(1));
    expect(lost()).toEqual([`message ${message.messageId} was asked for again and is lost: WhatsApp refused it (479)`]);
    // The first, the library's answer to the phone, and five more.
    expect(onTheWire(message.messageId)).toBe(7);
    await rig.reconnect();
    server.faults.clear();
    expect(await rig.sending.send(textTo(other, 'something else'))).toMatchObject({ outcome: 'accepted' });
    expect(onTheWire(message.messageId)).toBe(7);
  });

  test('that an ended connection left open is taken up by the next, and only then', async () => {
    server.faults.onMessage({ to: other }, { kind: 'undecryptable' });
    server.faults.onMessage({ to: other, times: Number.POSITIVE_INFINITY }, { kind: 'lose_ack' });
    const message = textTo(other, 'open');
    await rig.sending.send(message);
    await server.record.until(() => onTheWire(message.messageId) === 2);
    server.faults.clear();
    await rig.reconnect();
    await server.record.until(() => onTheWire(message.messageId) === 3);
    expect(lost()).toEqual([]);
    await rig.reconnect();
    expect(await rig.sending.send(textTo(other, 'something else'))).toMatchObject({ outcome: 'accepted' });
    expect(onTheWire(message.messageId)).toBe(3);
  });
});

describe('a device that asks as if for the first time, under another registration and without keys', () => {
  let server: WhatsAppServer;
  let rig: SendingRig;
  beforeEach(async () => {
    server = await startWhatsAppServer({ strictness: { refreshAtScan: false } });
    rig = await createSendingRig(server, me, { retryPauseMs: 1 });
  });
  afterEach(async () => {
    await rig.close();
    await server.close();
  });

  /** The id of a message that the device has got. */
  async function sent(text: string): Promise<string> {
    const message = textTo(other, text);
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
    return message.messageId;
  }

  const isForKeys = (node: BinaryNode) => node.attrs.xmlns === 'encrypt' && getBinaryNodeChild(node, 'key') !== undefined;

  /** Resolves when the receipt is acknowledged, which is the `times`th for this message. */
  async function asks(id: string, times = 1) {
    await server.person(other).askFor(me, id, { afresh: true });
    await server.record.until(() => server.record.retriesAcknowledged(id) === times);
  }

  /** Counts from now on how often the network is asked for keys. */
  function countKeyQuestions() {
    const query = vi.spyOn(rig.sock, 'query');
    return () => query.mock.calls.filter(([node]) => isForKeys(node)).length;
  }

  test('again and again: gets the message four times, and its keys are asked for once', async () => {
    const id = await sent('again');
    const keyQuestions = countKeyQuestions();
    for (let times = 1; times <= 6; times++) await asks(id, times);
    expect(server.record.resends).toHaveLength(4);
    expect(keyQuestions()).toBe(1);
    expect(server.record.problems).toEqual([]);
  });

  test('and has no SignalSession within an hour of that: gets nothing, and its keys are not asked for', async () => {
    const id = await sent('nothing');
    await asks(id);
    const keyQuestions = countKeyQuestions();
    await rig.sock.signalRepository.deleteSession([`${server.person(other).lid}@lid`]);
    await asks(id, 2);
    expect(server.record.resends).toHaveLength(1);
    expect(keyQuestions()).toBe(0);
  });

  test('for two messages at once: gets both, and its keys are asked for once', async () => {
    const ids = await Promise.all(['one', 'two'].map(sent));
    const keyQuestions = countKeyQuestions();
    await Promise.all(ids.map((id) => asks(id)));
    expect(server.record.resends.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(keyQuestions()).toBe(1);
    expect(server.record.problems).toEqual([]);
  });

  test('for a message whose last try was refused, but an earlier one may have arrived: gets it', async () => {
    const message = { ...textTo(other, 'perhaps'), mayHaveArrived: true };
    await sent('before');
    server.faults.onMessage({ to: other }, { kind: 'refuse', code: 473 });
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'rejected' });
    await asks(message.messageId);
    expect(server.record.resends.map(({ id }) => id)).toEqual([message.messageId]);
  });

  test('for two messages at once, while the network gives no keys: gets both a little later', async () => {
    const ids = await Promise.all(['one', 'two'].map(sent));
    const looks = vi.spyOn(rig.memory.prekeysFetched, 'get');
    const query = rig.sock.query.bind(rig.sock);
    const spy = vi.spyOn(rig.sock, 'query').mockImplementation(async (node, timeoutMs) => {
      if (!isForKeys(node)) return query(node, timeoutMs);
      spy.mockImplementation(query);
      // The second one waits for what the first has asked for.
      await waitFor(() => expect(looks).toHaveBeenCalledTimes(2));
      throw new Error('no answer');
    });
    await Promise.all(ids.map((id) => server.person(other).askFor(me, id, { afresh: true })));
    const times = (id: string) => server.record.stanzas.filter((stanza) => stanza.id === id).length;
    await server.record.until(() => ids.every((id) => times(id) === 2));
  });
});

test('a message that missed a device is kept until that device, too, has confirmed it', async () => {
  const [phone, companion] = [0, 5].map((id) => ({ jid: `${other}:${id}@s.whatsapp.net`, address: `${other}.${id}` }));
  if (phone === undefined || companion === undefined) throw new Error('there are two devices');
  const to = `${other}@s.whatsapp.net`;
  const stored = new Map<string, Uint8Array>();
  const forgotten: string[] = [];
  const log = { warn: () => undefined, error: () => undefined };
  const options = {
    instanceId: 'instance',
    store: { recall: async () => stored, forget: (ids: readonly string[]) => void forgotten.push(...ids) },
    records: { takeAlong: (id: string, message: Uint8Array) => void stored.set(id, message) },
    log,
  };
  const kept = new KeptMessages({ ...options, memory: new SentMessages(1_000_000) });
  const message = { type: 'text', message: { conversation: 'Hello' } } as const;
  kept.keep('A', { to, alias: to, devices: [0], message });
  kept.confirmed('A', phone.jid, true);
  kept.close();
  expect(forgotten.splice(0)).toEqual(['A']);

  const handedOver = Promise.withResolvers<Ready>();
  const recipient = { jid: to, space: 'pn', person: { pn: to, lid: null }, devices: [phone, companion] };
  const parts = {
    kept,
    recipients: { person: async () => recipient.person, user: async () => recipient, forget: async () => undefined, me: recipient.person },
    composer: { address: async () => ({ id: 'A', recipient, own: [], message, token: null, audience: 'all' }) },
    outbox: {
      async handOver(ready: Promise<Ready>) {
        handedOver.resolve(await ready);
        return { ready: await ready, ack: Promise.resolve({ code: null }) };
      },
    },
  };
  const wire = { sock: { ws: new EventEmitter() }, memory: createLinkMemory(new PeerMutex()), log };
  const resending = new Resending(wire as unknown as Wire, parts as unknown as ConstructorParameters<typeof Resending>[1]);
  resending.missed('A', to, [phone]);
  expect((await handedOver.promise).recipient.devices).toEqual([companion]);
  // In a later process, which has only what is stored.
  const later = new KeptMessages({ ...options, memory: new SentMessages(1_000_000) });
  expect(await later.recall('A')).toMatchObject({ devices: [5] });
  for (const { jid } of [phone, companion]) {
    kept.confirmed('A', jid, true);
    kept.close();
    expect(forgotten).toEqual(jid === phone.jid ? [] : ['A']);
  }
  resending.close();
});

describe('acknowledgements', () => {
  const ws = new EventEmitter();
  const acks = new Acks(ws as unknown as WASocket['ws'], 10_000);
  const receive = (attrs: Record<string, string>) => ws.emit('CB:ack,class:message', { tag: 'ack', attrs });

  test('of one message to one person that is on its way twice: each its own, but a refusal could be of either', async () => {
    const one = acks.of('A', 'x@s.whatsapp.net');
    const two = acks.of('A', 'x@s.whatsapp.net');
    receive({ id: 'A', from: 'x@s.whatsapp.net' });
    expect(await one).toMatchObject({ code: null });
    const three = acks.of('A', 'x@s.whatsapp.net');
    receive({ id: 'A', from: 'x@s.whatsapp.net', error: '479' });
    expect(await Promise.all([two, three])).toEqual(['none', 'none']);
  });

  test('are distinguished by whom they are from', async () => {
    const person = acks.of('B', 'x@s.whatsapp.net');
    const device = acks.of('B', 'x:3@s.whatsapp.net');
    receive({ id: 'B', from: 'x:3@s.whatsapp.net', error: '479' });
    expect(await device).toMatchObject({ code: '479' });
    receive({ id: 'B', from: 'x@lid' });
    expect(await person).toMatchObject({ code: null });
  });
});
