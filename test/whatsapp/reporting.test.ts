import { createHmac } from 'node:crypto';
import { getBinaryNodeChild, hkdf, proto } from 'baileys';
import { getMessageReportingToken } from 'baileys/lib/Utils/reporting-utils.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const me = '4915110000072';
let world: WhatsAppWorld;
let id: string;
let files: FileServer;
beforeAll(async () => {
  files = await startFileServer();
  world = await startWhatsAppWorld({ env: { MEDIA_ALLOW_HOSTS: files.allowed } });
  id = await world.linkedNumber(me);
});
afterAll(async () => {
  await world?.close();
  await files?.close();
});

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

it('so does a document with a caption, over the document in its wrapper', async () => {
  const friend = world.somebody();
  const url = files.serve('/terms.pdf', { bytes: Buffer.from('%PDF-1.4\n%%EOF\n'), headers: { 'content-type': 'application/pdf' } });
  const body = { instance_id: id, to: friend.number, url, filename: 'terms.pdf', caption: 'As agreed' };
  const answer = await world.customer.send('document', body);
  expect(answer.body).toMatchObject({ success: true });
  const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
  const { messageContextInfo, documentWithCaptionMessage } = received.message;
  const document = documentWithCaptionMessage?.message?.documentMessage;
  expect(document?.caption).toBe('As agreed');
  const { mimetype = null, mediaKey = null, directPath = null, caption = null } = document ?? {};
  const covered = { documentWithCaptionMessage: { message: { documentMessage: { mimetype, mediaKey, directPath, caption } } } };
  const info = `${received.id}${world.server.person(me).lid}@lid${friend.lid}@lidReport Token`;
  const key = hkdf(messageContextInfo?.messageSecret ?? Buffer.of(), 32, { info });
  const expected = createHmac('sha256', key).update(proto.Message.encode(covered).finish()).digest().subarray(0, 16);
  expect(Buffer.from(received.reportingToken ?? [])).toEqual(expected);
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
