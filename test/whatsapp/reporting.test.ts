import { getBinaryNodeChild, proto } from 'baileys';
import { getMessageReportingToken } from 'baileys/lib/Utils/reporting-utils.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const me = '4915110000072';
let world: WhatsAppWorld;
let id: string;
beforeAll(async () => {
  world = await startWhatsAppWorld();
  id = await world.linkedNumber(me);
});
afterAll(() => world?.close());

it('a message carries the token by which its recipient can report it, made with the secret that is inside', async () => {
  const friend = world.somebody();
  const answer = await world.text(id, friend.number, 'Report this');
  const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
  expect(received.message.messageContextInfo).toMatchObject({ reportingTokenVersion: 2 });
  expect(received.message.messageContextInfo?.messageSecret).toHaveLength(32);
  const expected = await getMessageReportingToken(Buffer.from(proto.Message.encode(received.message).finish()), received.message as never, {
    id: received.id,
    fromMe: false,
    participant: `${world.server.person(me).lid}@lid`,
    remoteJid: `${friend.lid}@lid`,
  });
  const token = getBinaryNodeChild(expected ?? undefined, 'reporting_token')?.content;
  expect(token).toHaveLength(16);
  expect(Buffer.from(received.reportingToken ?? [])).toEqual(token);
});

it('a reaction carries none', async () => {
  const friend = world.somebody();
  const { body } = await world.text(id, friend.number);
  const reaction = { instance_id: id, to: friend.number, message_id: body.data.message_id, emoji: '👍', from_me: true };
  const answer = await world.customer.send('reaction', reaction);
  expect(answer.status).toBe(200);
  const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
  expect(received.reportingToken).toBeNull();
});
