import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { Acks } from '../../src/networks/whatsapp/worker/sending/acks.ts';
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
