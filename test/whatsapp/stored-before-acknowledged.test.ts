import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { makeUnreadable, refuseRecords } from '../support/refused-writes.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

// The network delivers nothing again that was acknowledged. What cannot be stored must therefore not be acknowledged, wherever the gateway is killed.
describe.each(storeKinds)('what a number receives once (%s)', (store) => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ store });
  });
  afterAll(() => world?.close());

  async function linked(change: Parameters<Person['is']>[0] = {}) {
    const sender = world.somebody();
    sender.is(change);
    const id = await world.linkedNumber(sender.number);
    // What comes with every link is not written together with what is sent later.
    await sendTo(id, world.somebody());
    await world.server.record.until(() => sender.unacknowledged === 0);
    return { id, sender };
  }

  /** The store refuses these records while something is sent, and takes them again when the number has tried to store it. */
  async function whileRefused(name: string, id: string, send: () => Promise<unknown>) {
    const end = await refuseRecords(world.gateway.app.store, name);
    try {
      await send();
      const tried = new RegExp(`"instance_id":"${id}".*"the credentials of a number could not be stored"`);
      await waitFor(() => expect(tried.test(world.logged())).toBe(true));
    } finally {
      await end();
    }
    await world.customer.reaches(id, 'open');
  }

  /** Sends a text that must arrive; its stanzas, refused ones included. */
  async function sendTo(id: string, friend: Person) {
    const { body } = await world.text(id, friend.number);
    expect(body).toMatchObject({ success: true });
    return world.server.record.envelopes.filter((envelope) => envelope.id === body.data.message_id);
  }

  it.each([
    ['a notification', undefined],
    ['a message', 'Hello'],
  ])('a tctoken that comes with %s', async (_, along) => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    // Now the next message is read faster than what is known of the token.
    await friend.send(sender.number, 'Good morning');
    await world.server.record.until(() => sender.unacknowledged === 0);
    await whileRefused('tctoken:%', id, () => friend.giveToken(sender.number, along === undefined ? {} : { along }));
    await waitFor(async () => {
      const envelopes = await sendTo(id, friend);
      expect(envelopes).toMatchObject([{ children: expect.arrayContaining(['tctoken']), refusal: null }]);
    });
  });

  it('a tctoken that comes while the one before it cannot be read', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    // Not sent any more, so that only the next one is.
    await friend.giveToken(sender.number, { at: Math.floor(Date.now() / 1000) - 5 * 7 * 24 * 3600 });
    await world.server.record.until(() => sender.unacknowledged === 0);
    // Afterwards it is in the store alone.
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    const unreadable = makeUnreadable(world.gateway.app.store, 'credentials');
    await friend.giveToken(sender.number);
    await world.server.record.until(() => !world.server.record.connected().includes(sender.number));
    unreadable.end();
    await waitFor(async () => {
      const envelopes = await sendTo(id, friend);
      expect(envelopes).toMatchObject([{ children: expect.arrayContaining(['tctoken']), refusal: null }]);
    });
  });

  it('that the account is addressed by LID from now on', async () => {
    const { id, sender } = await linked({ lidMigrated: false });
    await whileRefused('creds', id, () => sender.migrate());
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    const friend = world.somebody();
    expect(await sendTo(id, friend)).toMatchObject([{ to: `${friend.lid}@lid`, refusal: null }]);
  });

  it('that somebody has written, who therefore is no new chat', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    await whileRefused('known-chats:%', id, () => friend.send(sender.number, 'Hello'));
    await world.server.record.until(() => sender.unacknowledged === 0);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    world.server.faults.restrictReachOut(sender.number, Math.floor(Date.now() / 1000) + 6 * 3600);
    await waitFor(async () => expect(await world.get(id, 'status')).toHaveProperty('restriction'));
    expect((await world.text(id, world.somebody().number)).status).toBe(422);
    await sendTo(id, friend);
  });

  it('nothing was refused as malformed, and no phone failed to decrypt', () => {
    expect(world.server.record.problems).toEqual([]);
  });
});
