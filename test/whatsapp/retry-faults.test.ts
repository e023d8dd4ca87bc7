import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageFault, Person } from 'whatsapp-test-server';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('a message that a phone cannot decrypt and asks for again, over HTTP', () => {
  let world: WhatsAppWorld;
  let id: string;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ timing: { acknowledgementMs: 4_000 } });
    id = await world.linkedNumber('4915110000006');
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());

  const repeated = (messageId: string) => world.server.record.stanzas.filter((stanza) => stanza.id === messageId).length - 1;

  /** Sends a text that its phone cannot decrypt, and has this befall the retries, one after another. The id that was answered. */
  async function sendAndSpoil(friend: Person, text: string, ...faults: readonly MessageFault[]): Promise<string> {
    for (const fault of [{ kind: 'undecryptable' } as const, ...faults]) world.server.faults.onMessage({ to: friend.number }, fault);
    const answer = await world.text(id, friend.number, text);
    expect(answer.status).toBe(200);
    return answer.body.data.message_id;
  }

  /** The phone shows the one message. */
  async function expectShown(friend: Person, messageId: string, text: string) {
    const received = await friend.nextReceived((message) => message.id === messageId);
    expect(received.message.conversation).toBe(text);
    expect(await friend.received()).toHaveLength(1);
  }

  const refusal = (code: number): MessageFault => ({ kind: 'refuse', code });
  it.each([
    ['once', [refusal(479)]],
    ['several times', [refusal(479), refusal(479), refusal(479), refusal(479)]],
    ['for trouble of its own', [refusal(500)]],
    ['after another one that the phone could not decrypt', [{ kind: 'undecryptable' }, refusal(479)]],
  ] as const)('WhatsApp refuses the retry %s: it is sent again until the phone has it', async (_, faults) => {
    const friend = world.somebody();
    const messageId = await sendAndSpoil(friend, 'Once more', ...faults);
    await expectShown(friend, messageId, 'Once more');
    expect(repeated(messageId)).toBe(faults.length + 1);
    expect(world.logged()).not.toContain(messageId);
  });

  it('the connection is lost in the middle of each retry: it is sent again after the reconnect', async () => {
    const friend = world.somebody();
    // More often than the library repeats a message.
    const drop = { kind: 'drop_before' } as const;
    const messageId = await sendAndSpoil(friend, 'After all', drop, drop, drop);
    await expectShown(friend, messageId, 'After all');
    await world.customer.reaches(id, 'open');
  });

  it('the retry is never acknowledged: it is sent again, and the phone shows one message', async () => {
    const friend = world.somebody();
    const messageId = await sendAndSpoil(friend, 'Doubly sure', { kind: 'lose_ack' });
    await expectShown(friend, messageId, 'Doubly sure');
    await world.server.record.until(() => repeated(messageId) === 2);
    await expectShown(friend, messageId, 'Doubly sure');
  });

  it('the network does not answer what the retry needs: it is sent again later', async () => {
    const friend = world.somebody();
    // Whose LID is asked for each time.
    friend.is({ hasLid: false });
    await world.text(id, friend.number, 'Hello');
    await friend.nextReceived(({ message }) => message.conversation === 'Hello');
    world.server.faults.onUsync({ times: 1 }, { kind: 'error' });
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const { body } = await world.text(id, friend.number, 'Later');
    const received = await friend.nextReceived((message) => message.id === body.data.message_id);
    expect(received.message.conversation).toBe('Later');
  });

  it('the retry is refused because the number may not write: that is logged once, without the content, and it stays lost', async () => {
    const friend = world.somebody();
    const messageId = await sendAndSpoil(friend, 'A secret word', refusal(463));
    await waitFor(() => expect(world.logged()).toContain(messageId));
    expect(world.logged().split(messageId)).toHaveLength(2);
    expect(world.logged()).not.toContain('secret word');
    expect(repeated(messageId)).toBe(1);
    expect((await world.text(id, friend.number, 'And on')).status).toBe(200);
    await friend.nextReceived(({ message }) => message.conversation === 'And on');
    expect(await friend.received()).toHaveLength(1);
  });
});
