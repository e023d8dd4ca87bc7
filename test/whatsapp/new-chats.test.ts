import { afterEach, describe, expect, it } from 'vitest';
import { refusal } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const later = () => Math.floor(Date.now() / 1000) + 6 * 3600;

let world: WhatsAppWorld;
afterEach(() => world?.close());
const sent = (to: string) => world.server.record.stanzas.filter((stanza) => stanza.to === to).length;
const sees = (id: string, expected: object) => waitFor(async () => expect(await world.get(id, 'status')).toMatchObject(expected));
const listed = async () => (await world.customer.call('GET', '/v1/instances')).body.data.instances[0];

describe.each(storeKinds)('the limits on new chats on %s', (kind) => {
  it('a cap: shown with quota and end, holds new chats back without asking the network, over a restart, and never those that are known [extensions.new-chats whatsapp.new-chats]', async () => {
    world = await startWhatsAppWorld({ store: kind });
    const { server, customer, gateway } = world;
    const phone = world.somebody();
    const id = await world.linkedNumber(phone.number);
    expect(await world.get(id, 'status')).toMatchObject({ new_chats: null });
    const [old, wrote, last, stranger, other] = Array.from({ length: 5 }, () => world.somebody());
    if (!old || !wrote || !last || !stranger || !other) throw new Error('five people were made');
    expect((await world.text(id, old.number)).status).toBe(200);
    await wrote.send(phone.number, 'Hello');

    const ends = later();
    server.faults.capNewChats(phone.number, { quota: 3, used: 2, cycleEndsAt: ends });
    const cap = (used: number) => ({ used, quota: 3, cycle_ends_at: iso(ends) });
    await sees(id, { new_chats: cap(2) });
    expect(await world.get(id, 'status')).not.toHaveProperty('restriction');
    expect((await world.text(id, last.number)).status).toBe(200);

    const restriction = { reason: 'new_chats_capped', until: iso(ends) };
    expect(await world.text(id, stranger.number)).toMatchObject(refusal(422, 'invalid_recipient', restriction));
    expect(sent(stranger.number)).toBe(1);
    await sees(id, { status: 'open', restriction, new_chats: cap(3) });
    expect(await listed()).toMatchObject({ restriction, new_chats: cap(3) });
    for (const held of [stranger, other]) {
      expect(await world.text(id, held.number)).toMatchObject(refusal(422, 'invalid_recipient', restriction));
    }
    expect([sent(stranger.number), sent(other.number)]).toEqual([1, 0]);
    for (const known of [old, wrote, last]) expect((await world.text(id, known.number)).status).toBe(200);

    await gateway.restart();
    await customer.reaches(id, 'open');
    expect(await world.get(id, 'status')).toMatchObject({ restriction, new_chats: cap(3) });
    expect(await world.text(id, other.number)).toMatchObject(refusal(422, 'invalid_recipient', restriction));
    expect(sent(other.number)).toBe(0);
    for (const known of [old, wrote, last]) expect((await world.text(id, known.number)).status).toBe(200);

    server.faults.capNewChats(phone.number, null);
    await waitFor(async () => expect(await world.get(id, 'status')).not.toHaveProperty('restriction'));
    await sees(id, { new_chats: null });
    expect((await world.text(id, other.number)).status).toBe(200);
  });
});

it('a timelock holds new chats back without asking the network; existing ones go on [whatsapp.new-chats]', async () => {
  world = await startWhatsAppWorld();
  const { server } = world;
  const phone = world.somebody();
  const id = await world.linkedNumber(phone.number);
  const [known, stranger] = [world.somebody(), world.somebody()];
  expect((await world.text(id, known.number)).status).toBe(200);
  const until = later();
  server.faults.restrictReachOut(phone.number, until);
  const restriction = { reason: 'reach_out_blocked', until: iso(until) };
  await sees(id, { restriction });
  expect(await world.text(id, stranger.number)).toMatchObject(refusal(422, 'invalid_recipient', restriction));
  expect(sent(stranger.number)).toBe(0);
  expect((await world.text(id, known.number)).status).toBe(200);
  server.faults.restrictReachOut(phone.number, null);
  await waitFor(async () => expect(await world.get(id, 'status')).not.toHaveProperty('restriction'));
  expect((await world.text(id, stranger.number)).status).toBe(200);
});

it('a timelock is shown again when the number comes back from another program', async () => {
  world = await startWhatsAppWorld();
  const { server, customer } = world;
  const phone = world.somebody();
  const id = await world.linkedNumber(phone.number);
  const until = later();
  server.faults.restrictReachOut(phone.number, until);
  const restriction = { reason: 'reach_out_blocked', until: iso(until) };
  await sees(id, { restriction });
  await server.faults.end(phone.number, { kind: 'stream_error', code: 440 });
  await sees(id, { status: 'close', restriction: { reason: 'replaced' } });
  await world.get(id, 'qr');
  await customer.reaches(id, 'open');
  await sees(id, { status: 'open', restriction });
  expect(await world.text(id, world.somebody().number)).toMatchObject(refusal(422, 'invalid_recipient', restriction));
});

it('a cap that was not reported is learned from the first refusal', async () => {
  world = await startWhatsAppWorld();
  const phone = world.somebody();
  const id = await world.linkedNumber(phone.number);
  const ends = later();
  world.server.faults.capNewChats(phone.number, { quota: 1, used: 1, cycleEndsAt: ends }, false);
  const restriction = { reason: 'new_chats_capped', until: iso(ends) };
  expect(await world.text(id, world.somebody().number)).toMatchObject(refusal(422, 'invalid_recipient', restriction));
  await sees(id, { restriction, new_chats: { used: 1, quota: 1, cycle_ends_at: iso(ends) } });
});
