import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const sender = '4915110000003';

describe('messages about other messages, over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let instance_id: string;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    instance_id = await world.linkedNumber(sender);
  });
  afterAll(() => world?.close());

  async function send(recipient: Person, type: string, body: object) {
    const answer = await world.customer.send(type, { instance_id, to: recipient.number, ...body });
    expect(answer.body).toMatchObject({ success: true });
    return recipient.nextReceived(({ id }) => id === answer.body.data.message_id);
  }

  it('a reply names the message it quotes and whose it is', async () => {
    const friend = world.somebody();
    const own = await send(friend, 'text', { text: 'First' });
    const theirs = await friend.send(sender, 'Second');

    const toOwn = await send(friend, 'text', { text: 'About mine', quoted_message_id: own.id, quoted_from_me: true });
    const ownContext = toOwn.message.extendedTextMessage?.contextInfo;
    expect(ownContext).toMatchObject({ stanzaId: own.id, participant: `${world.server.person(sender).lid}@lid` });
    const toTheirs = await send(friend, 'text', { text: 'About yours', quoted_message_id: theirs });
    const theirContext = toTheirs.message.extendedTextMessage?.contextInfo;
    expect(theirContext).toMatchObject({ stanzaId: theirs, participant: `${friend.lid}@lid` });
    // Apps draw no quote without a quoted message, and fill in its text themselves.
    for (const context of [ownContext, theirContext]) expect(context?.quotedMessage).toBeTruthy();
  });

  it('a reaction is put on messages of both sides, and taken off again', async () => {
    const friend = world.somebody();
    const own = await send(friend, 'text', { text: 'Mine' });
    const theirs = await friend.send(sender, 'Theirs');
    const chat = `${friend.lid}@lid`;
    for (const emoji of ['👍', '']) {
      const onTheirs = await send(friend, 'reaction', { message_id: theirs, emoji });
      expect(onTheirs.message.reactionMessage).toMatchObject({ key: { id: theirs, fromMe: false, remoteJid: chat }, text: emoji });
      const onOwn = await send(friend, 'reaction', { message_id: own.id, emoji, from_me: true });
      expect(onOwn.message.reactionMessage).toMatchObject({ key: { id: own.id, fromMe: true, remoteJid: chat }, text: emoji });
    }
  });

  it('a poll brings the secret with which votes are encrypted, another one each time', async () => {
    const friend = world.somebody();
    const secrets = new Set<string>();
    for (const _ of [1, 2]) {
      const { message } = await send(friend, 'poll', { question: 'Which?', options: ['a', 'b'] });
      const secret = Buffer.from(message.messageContextInfo?.messageSecret ?? []);
      expect(secret).toHaveLength(32);
      secrets.add(secret.toString('hex'));
    }
    expect(secrets.size).toBe(2);
  });

  it('after an answer the conversation goes on under new keys', async () => {
    const friend = world.somebody();
    for (const round of [1, 2, 3]) {
      await send(friend, 'text', { text: `Question ${round}` });
      const { receipts } = world.server.record;
      const answer = await friend.send(sender, `Answer ${round}`);
      await world.server.record.until(() => receipts.some(({ id }) => id === answer));
    }
    const received = await send(friend, 'text', { text: 'Goodbye' });
    expect(received).toMatchObject({ times: 1, message: { conversation: 'Goodbye' } });
  });

  it('nothing was refused, undecryptable or missed a device', () => {
    expect(world.server.record.problems).toEqual([]);
    expect(world.server.record.incomplete).toEqual([]);
  });
});
