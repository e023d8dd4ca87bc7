import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const me = '4915110000077';

// The other two ways of learning it, a retry receipt with keys and keys fetched anew, are in retries.test.ts.
describe('a recipient who has installed WhatsApp anew can read the next message', () => {
  let world: WhatsAppWorld;
  let id: string;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    id = await world.linkedNumber(me);
  });
  afterAll(() => world?.close());

  it.each<[string, (friend: Person) => Promise<unknown>]>([
    ['the network reports the new identity', async (friend) => friend.reinstall()],
    [
      'the first message from there',
      async (friend) => {
        friend.reinstall({ silently: true });
        const before = world.server.record.receipts.length;
        await friend.send(me, 'I am here now');
        await world.server.record.until(() => world.server.record.receipts.length > before);
      },
    ],
    [
      'the network reports changed devices',
      async (friend) => {
        friend.reinstall({ silently: true });
        friend.is({ companions: 1 });
      },
    ],
    ['its next request for a message', async (friend) => friend.reinstall({ silently: true })],
  ])('learned from: %s', async (_, reinstall) => {
    const [friend, other] = [world.somebody(), world.somebody()];
    for (const to of [friend, other]) await arrives(to, 'To the old phone');
    await reinstall(friend);
    await arrives(friend, 'To the new phone');
    await arrives(friend, 'One more');
    await arrives(other, 'To somebody else');
  });

  /** The text is accepted and shown once. */
  async function arrives(to: Person, text: string): Promise<void> {
    const { status, body } = await world.text(id, to.number, text);
    expect(status).toBe(200);
    const received = await to.nextReceived((message) => message.id === body.data.message_id);
    expect(received).toMatchObject({ times: 1, message: { conversation: text } });
  }
});
