import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('sends that WhatsApp refuses, over HTTP', () => {
  let world: WhatsAppWorld;
  let id: string;
  let keys = 0;
  const sender = '4915110000004';
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    id = await world.linkedNumber(sender);
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());
  const key = () => ({ 'Idempotency-Key': `refused-send-${++keys}` });
  const sent = (to: string) => world.server.record.stanzas.filter((stanza) => stanza.to === to).length;

  it('a number that is not on WhatsApp is 422, and nothing was put on the wire', async () => {
    const nobody = world.somebody();
    nobody.is({ onNetwork: false });
    const headers = key();
    expect(await world.text(id, nobody.number, 'Hello', headers)).toMatchObject(refusal(422, 'invalid_recipient'));
    expect(sent(nobody.number)).toBe(0);
    // It joins, and the same key is still free.
    nobody.is({ onNetwork: true });
    expect((await world.text(id, nobody.number, 'Hello', headers)).status).toBe(200);
    expect(await nobody.received()).toHaveLength(1);
  });

  it('a number without any device is 422 instead of a message that nobody gets', async () => {
    const asleep = world.somebody();
    asleep.is({ hasDevices: false });
    const headers = key();
    expect(await world.text(id, asleep.number, 'Hello', headers)).toMatchObject(refusal(422, 'invalid_recipient'));
    expect(sent(asleep.number)).toBe(0);
    asleep.is({ hasDevices: true });
    expect((await world.text(id, asleep.number, 'Hello', headers)).status).toBe(200);
    expect(await asleep.received()).toHaveLength(1);
  });

  it('a recipient whose keys it has not signed gets nothing until they are its own', async () => {
    const friend = world.somebody();
    world.server.faults.forgeKeys(friend.number, [0]);
    const headers = key();
    expect(await world.text(id, friend.number, 'Hello', headers)).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect(sent(friend.number)).toBe(0);
    expect(world.logged()).toContain('keys of a device are not signed by it');
    world.server.faults.forgeKeys(friend.number, []);
    expect((await world.text(id, friend.number, 'Hello', headers)).status).toBe(200);
    expect(await friend.nextReceived(() => true)).toMatchObject({ times: 1, message: { conversation: 'Hello' } });
  });

  it('a device whose keys it has not signed is left out, and the recipient has the message on the others', async () => {
    const { faults, record } = world.server;
    const friend = world.somebody();
    friend.is({ companions: 1 });
    faults.forgeKeys(friend.number, [1]);
    const answer = await world.text(id, friend.number);
    expect(answer.status).toBe(200);
    await friend.nextReceived((message) => message.id === answer.body.data.message_id);
    const left = record.incomplete.filter((stanza) => stanza.id === answer.body.data.message_id);
    expect(left).toMatchObject([{ missing: [`${friend.number}:1@s.whatsapp.net`], unknown: [] }]);
  });

  it('a message that is refused with a code is 502, and its key is free for another message', async () => {
    const friend = world.somebody();
    const headers = key();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'refuse', code: 421 });
    const refused = await world.text(id, friend.number, 'Hello', headers);
    expect(refused).toMatchObject(refusal(502, 'upstream_unavailable', { reason: 'stale_group_addressing' }));
    expect(refused.body.error.message).toContain('421');
    expect(await friend.received()).toEqual([]);

    const again = await world.text(id, friend.number, 'Something else', headers);
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('false');
    const received = await friend.nextReceived(() => true);
    expect(received).toMatchObject({ times: 1, message: { conversation: 'Something else' } });
    expect(await friend.received()).toHaveLength(1);
    expect(world.server.record.problems).toEqual([]);
  });

  it.each([408, 429, 500, 503])(
    'trouble of the network itself (%i): sent again under the same id, and once at the recipient',
    async (code) => {
      const friend = world.somebody();
      world.server.faults.onMessage({ to: friend.number, times: 2 }, { kind: 'refuse', code });
      const answer = await world.text(id, friend.number);
      expect(answer.status).toBe(200);
      const stanzas = world.server.record.stanzas.filter(({ to }) => to === friend.number);
      expect(stanzas.map((stanza) => stanza.id)).toEqual(Array(3).fill(answer.body.data.message_id));
      expect(await friend.received()).toMatchObject([{ times: 1, message: { conversation: 'Hello' } }]);
    },
  );

  it('trouble that lasts is 502 after three tries [whatsapp.refusals]', async () => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number, times: 3 }, { kind: 'refuse', code: 503 });
    expect(await world.text(id, friend.number)).toMatchObject(refusal(502, 'upstream_unavailable', { reason: 'network_trouble' }));
    expect(sent(friend.number)).toBe(3);
  });

  it('outdated devices (479) are looked up anew, once', async () => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'refuse', code: 479 });
    expect((await world.text(id, friend.number)).status).toBe(200);
    expect(await friend.received()).toHaveLength(1);
    world.server.faults.onMessage({ to: friend.number, times: 2 }, { kind: 'refuse', code: 479 });
    expect(await world.text(id, friend.number)).toMatchObject(refusal(502, 'upstream_unavailable', { reason: 'stale_devices' }));
  });

  it.each([
    [404, 422, 'invalid_recipient', 'no_such_recipient'],
    [405, 502, 'upstream_unavailable', 'kind_not_allowed'],
    [473, 502, 'upstream_unavailable', 'interactive_not_allowed'],
    [488, 502, 'upstream_unavailable', 'malformed_message'],
    [777, 502, 'upstream_unavailable', 'code_777'],
  ] as const)('code %i is answered with %i, and with its reason [whatsapp.refusals]', async (refused, status, code, reason) => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'refuse', code: refused });
    expect(await world.text(id, friend.number)).toMatchObject(refusal(status, code, { reason }));
    expect(sent(friend.number)).toBe(1);
  });

  it('a number that may not start chats shows why and until when, still answers those who wrote, and is free afterwards', async () => {
    const stranger = world.somebody();
    const friend = world.somebody();
    await friend.send(sender, 'Hello');
    const until = Math.floor(Date.now() / 1000) + 3600;
    const restriction = { reason: 'reach_out_blocked', until: new Date(until * 1000).toISOString() };
    world.server.faults.restrictReachOut(sender, until);
    const headers = key();
    const refused = await world.text(id, stranger.number, 'Hello', headers);
    expect(refused).toMatchObject(refusal(422, 'invalid_recipient', restriction));
    expect(await stranger.received()).toEqual([]);
    expect((await world.text(id, friend.number, 'Welcome')).status).toBe(200);
    // Answering somebody does not end it.
    expect(await world.get(id, 'status')).toMatchObject({ status: 'open', connected: true, restriction });

    world.server.faults.restrictReachOut(sender, null);
    await waitFor(async () => expect(await world.get(id, 'status')).not.toHaveProperty('restriction'));
    expect((await world.text(id, stranger.number, 'Hello', headers)).status).toBe(200);
    await stranger.nextReceived(({ message }) => message.conversation === 'Hello');
  });

  it('463 without a lock on the number concerns this recipient alone: no restriction, and the next message is tried', async () => {
    const stranger = world.somebody();
    world.server.faults.onMessage({ to: stranger.number }, { kind: 'refuse', code: 463 });
    const refused = await world.text(id, stranger.number);
    expect([422, 502]).toContain(refused.status);
    expect(['missing_token', 'wrong_addressing']).toContain(refused.body.error.details.reason);
    expect(await world.get(id, 'status')).not.toHaveProperty('restriction');
    expect((await world.text(id, stranger.number)).status).toBe(200);
  });

  it('a recipient of whom the network says nothing is 502: nothing was sent, and a retry goes through', async () => {
    const friend = world.somebody();
    const headers = key();
    world.server.faults.onUsync({ number: friend.number }, { kind: 'error' });
    expect(await world.text(id, friend.number, 'Hello', headers)).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect((await world.text(id, friend.number, 'Hello', headers)).status).toBe(200);
    expect(await friend.received()).toMatchObject([{ times: 1, message: { conversation: 'Hello' } }]);
  });

  it('a connection that is lost while the recipient is looked up: the next one is asked, and sends', async () => {
    const friend = world.somebody();
    world.server.faults.onUsync({ number: friend.number }, { kind: 'drop' });
    expect((await world.text(id, friend.number, 'Hello')).status).toBe(200);
    expect(await friend.received()).toMatchObject([{ times: 1, message: { conversation: 'Hello' } }]);
  });

  it('a number that answers on another number gets the message there', async () => {
    const dialled = world.server.person('5511987650001');
    const answering = world.server.person('551187650001');
    dialled.is({ answersAs: answering.number });
    const answer = await world.text(id, dialled.number);
    expect(answer.body.data).toMatchObject({ to: dialled.number, status: 'sent' });
    await answering.nextReceived((message) => message.id === answer.body.data.message_id);
    expect(await dialled.received()).toEqual([]);
  });
});
