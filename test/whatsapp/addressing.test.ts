import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const lid = (person: Person) => `${person.lid}@lid`;
const pn = (person: Person) => `${person.number}@s.whatsapp.net`;

/** Sends a text that must arrive; how its stanzas were addressed, refused ones included, and what was asked for it. */
async function sendTo(world: WhatsAppWorld, instanceId: string, friend: Person, dialled = friend.number) {
  const { record } = world.server;
  const asked = record.questions.length;
  const answer = await world.text(instanceId, dialled);
  expect(answer.body).toMatchObject({ success: true });
  const { message_id: id } = answer.body.data;
  expect(await friend.nextReceived((message) => message.id === id)).toMatchObject({ times: 1 });
  return { envelopes: record.envelopes.filter((envelope) => envelope.id === id), questions: record.questions.slice(asked) };
}

describe('how messages are addressed, over HTTP', () => {
  let world: WhatsAppWorld;
  let numbers = 0;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  afterAll(() => world?.close());

  /** A linked number that has another device besides the phone and the gateway; `change` comes before the link. */
  async function linked(change: Parameters<Person['is']>[0] = {}) {
    const sender = world.server.person(String(4915111000000 + numbers++));
    sender.is({ companions: 1, ...change });
    const id = await world.linkedNumber(sender.number);
    return { id, sender };
  }

  it('a migrated account writes to the LID, to LIDs of all devices, with the phone number beside it, after one question', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    friend.is({ companions: 1 });
    await sendTo(world, id, world.somebody());
    const { envelopes, questions } = await sendTo(world, id, friend);
    const devices = [lid(friend), `${friend.lid}:1@lid`, lid(sender), `${sender.lid}:1@lid`];
    expect(envelopes).toMatchObject([{ to: lid(friend), attrs: { peer_recipient_pn: pn(friend) }, refusal: null }]);
    expect([...(envelopes[0]?.devices ?? [])].sort()).toEqual(devices.sort());
    expect(envelopes[0]?.attrs).not.toHaveProperty('addressing_mode');
    expect(questions).toEqual([{ from: sender.number, protocols: ['contact', 'lid', 'devices'], users: [`+${friend.number}`] }]);
    expect((await sendTo(world, id, friend)).questions).toEqual([]);
    const copy = await sender.nextReceived((message) => message.id === envelopes[0]?.id);
    expect(copy).toMatchObject({ from: sender.number, to: friend.number });
  });

  it('an account that has not migrated writes to phone numbers', async () => {
    const { id, sender } = await linked({ lidMigrated: false });
    const friend = world.somebody();
    const { envelopes } = await sendTo(world, id, friend);
    expect(envelopes).toMatchObject([{ to: pn(friend), attrs: { peer_recipient_lid: lid(friend) }, refusal: null }]);
    expect([...(envelopes[0]?.devices ?? [])].sort()).toEqual([pn(friend), pn(sender), `${sender.number}:1@s.whatsapp.net`].sort());
  });

  it('an account that does not say and has not migrated: the LID is refused once, and never tried again', async () => {
    const { id } = await linked({ migrated: false, lidMigrated: null });
    const friend = world.somebody();
    const { envelopes } = await sendTo(world, id, friend);
    expect(envelopes).toMatchObject([
      { to: lid(friend), refusal: '400' },
      { to: pn(friend), refusal: null },
    ]);
    expect((await sendTo(world, id, world.somebody())).envelopes).toMatchObject([{ refusal: null }]);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    expect((await sendTo(world, id, friend)).envelopes).toMatchObject([{ to: pn(friend), refusal: null }]);
  });

  it('an account that migrates without a word: the phone number is refused once, and never tried again', async () => {
    const { id, sender } = await linked({ lidMigrated: false });
    const friend = world.somebody();
    await sendTo(world, id, friend);
    sender.is({ migrated: true });
    const { envelopes } = await sendTo(world, id, friend);
    expect(envelopes).toMatchObject([
      { to: pn(friend), refusal: '463' },
      { to: lid(friend), refusal: null },
    ]);
    expect(await world.get(id, 'status')).not.toHaveProperty('restriction');
    expect((await sendTo(world, id, world.somebody())).envelopes).toMatchObject([{ refusal: null }]);
  });

  it('an account that migrates and says so writes to LIDs at once', async () => {
    const { id, sender } = await linked({ lidMigrated: false });
    const friend = world.somebody();
    await sendTo(world, id, friend);
    await sender.migrate();
    // What arrives is taken in its order.
    const next = await friend.send(sender.number, 'Hello');
    await world.server.record.until(() => world.server.record.receipts.some((receipt) => receipt.id === next));
    expect((await sendTo(world, id, friend)).envelopes).toMatchObject([{ to: lid(friend), refusal: null }]);
  });

  it('a refused phone number is not tried by LID while the account may not start new chats', async () => {
    const { id, sender } = await linked({ lidMigrated: false });
    const friend = world.somebody();
    world.server.faults.restrictReachOut(sender.number, Math.floor(Date.now() / 1000) + 3600);
    const answer = await world.text(id, friend.number);
    expect(answer.body.error).toMatchObject({ code: 'invalid_recipient', details: { reason: 'reach_out_blocked' } });
    expect(world.server.record.stanzas.filter(({ to }) => to === friend.number).length).toBeLessThanOrEqual(1);
    world.server.faults.restrictReachOut(sender.number, null);
  });

  it('a number that WhatsApp rewrites is written to by the LID of the one that answers', async () => {
    const { id } = await linked();
    const answering = world.server.person('551187651001');
    world.server.person('5511987651001').is({ answersAs: answering.number });
    const { envelopes } = await sendTo(world, id, answering, '5511987651001');
    expect(envelopes).toMatchObject([{ to: lid(answering), attrs: { peer_recipient_pn: pn(answering) } }]);
  });

  it('a LID that is not the latest is asked for anew, and the next message goes to the new one', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    await sendTo(world, id, friend);
    const before = lid(friend);
    friend.renewLid();
    expect((await sendTo(world, id, friend)).envelopes).toMatchObject([{ to: before, refusal: null }]);
    const asked = { from: sender.number, protocols: ['lid'], users: [pn(friend)] };
    await world.server.record.until(() => world.server.record.questions.some((question) => question.users[0] === pn(friend)));
    expect(world.server.record.questions).toContainEqual(asked);
    await waitFor(async () => {
      expect((await sendTo(world, id, friend)).envelopes).toMatchObject([{ to: lid(friend), refusal: null }]);
    });
  });

  it('devices that are not those WhatsApp knows (479) are looked up anew once, and the message arrives', async () => {
    const { id } = await linked();
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'refuse', code: 479 });
    const { envelopes, questions } = await sendTo(world, id, friend);
    expect(envelopes).toMatchObject([{ refusal: '479' }, { refusal: null }]);
    expect(questions.filter(({ users }) => users[0] === lid(friend))).toMatchObject([{ protocols: ['devices', 'lid'] }]);
  });

  it('a companion that comes is written to by the next message', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    await sendTo(world, id, friend);
    friend.is({ companions: 1 });
    await waitFor(async () => {
      const { envelopes } = await sendTo(world, id, friend);
      expect(envelopes[0]?.devices).toContain(`${friend.lid}:1@lid`);
    });
    expect(world.server.record.incomplete.filter(({ from }) => from === sender.number).length).toBeLessThanOrEqual(2);
  });

  it('nothing was refused as malformed, and no phone failed to decrypt', () => {
    expect(world.server.record.problems).toEqual([]);
  });
});

describe('where the network lists devices only for a query by LID', () => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ server: { strictness: { devicesByNumber: false } } });
  });
  afterAll(() => world?.close());

  it('they are asked for in a second question', async () => {
    const id = await world.linkedNumber('4915111900001');
    const friend = world.somebody();
    const { envelopes, questions } = await sendTo(world, id, friend);
    expect(envelopes).toMatchObject([{ to: lid(friend), refusal: null }]);
    expect(questions.filter(({ users }) => users[0] !== '4915111900001')).toContainEqual(
      expect.objectContaining({ protocols: ['devices', 'lid'], users: [lid(friend)] }),
    );
  });
});
