import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeKinds } from '../support/stores.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe.each(storeKinds)('WhatsApp numbers over a restart on %s', (store) => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ store });
  });
  afterAll(() => world?.close());

  it('every number is there again without a scan, and conversations go on', async () => {
    const { record } = world.server;
    const phones = [world.somebody(), world.somebody(), world.somebody()];
    const numbers = await Promise.all(phones.map(async (phone) => ({ phone, id: await world.linkedNumber(phone.number) })));
    const friend = world.somebody();
    // Of each conversation, both sides have keys that must survive.
    for (const { phone, id } of numbers) {
      expect((await world.text(id, friend.number, 'Before')).status).toBe(200);
      const answer = await friend.send(phone.number, 'Between');
      await record.until(() => record.receipts.some((receipt) => receipt.id === answer));
    }
    for (const round of ['first', 'second']) {
      await world.gateway.restart();
      for (const { phone, id } of numbers) {
        await world.customer.reaches(id, 'open');
        expect(await world.get(id, 'status')).toMatchObject({ connected: true, phone_number: phone.number });
        const answer = await world.text(id, friend.number, round);
        const received = await friend.nextReceived((message) => message.id === answer.body.data?.message_id);
        expect(received).toMatchObject({ from: phone.number, times: 1, message: { conversation: round } });
      }
    }
    expect(record.logouts).toEqual([]);
    expect(record.problems).toEqual([]);
    expect(record.incomplete).toEqual([]);
  });

  // What waits at the network is the same on every store.
  if (store !== storeKinds[0]) return;

  it('what was sent to a number while the gateway was down is taken then', async () => {
    const { record } = world.server;
    const phone = world.somebody();
    const id = await world.linkedNumber(phone.number);
    const friend = world.somebody();
    let missed = '';
    await world.gateway.restart({
      whileDown: async () => {
        missed = await friend.send(phone.number, 'Are you there?');
      },
    });
    await world.customer.reaches(id, 'open');
    await record.until(() => record.receipts.some((receipt) => receipt.id === missed && receipt.type !== 'retry'));
    const answer = await world.text(id, friend.number, 'Yes');
    await friend.nextReceived((message) => message.id === answer.body.data?.message_id);
  });
});
