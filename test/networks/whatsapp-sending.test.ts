import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { allKinds, type MediaUse } from '../../src/kinds/index.ts';
import type { MediaFacts, MediaFile, OutgoingMessage } from '../../src/networks/index.ts';
import type { Received } from './fixture.ts';
import { createMediaFiles } from './outgoing.ts';
import { canonical } from './whatsapp-content.ts';
import { createSendingRig, newId, type SendingRig, textTo } from './whatsapp-sending-rig.ts';

const me = '491701234567';
const other = '34600111222';

let server: WhatsAppServer;
let rig: SendingRig;
let files: Awaited<ReturnType<typeof createMediaFiles>>;
beforeAll(async () => {
  server = await startWhatsAppServer({ strictness: { refreshAtScan: false } });
  rig = await createSendingRig(server, me);
  files = await createMediaFiles();
});
afterAll(async () => {
  await rig.close();
  await server.close();
  await files.remove();
});

const accepted = { outcome: 'accepted', providerStatus: 'SERVER_ACK' };

/** What the recipient's phone got of a message. */
function arrived(message: OutgoingMessage, to = message.to) {
  return server.person(to).nextReceived(({ id, to: addressee }) => id === message.messageId && addressee === to);
}

function expected({ messageId, to, type, content, quoted, media }: OutgoingMessage): Received {
  return {
    message_id: messageId,
    from: me,
    to,
    type,
    content: media === null ? content : { ...content, mime_type: media.mimeType, size: media.size, sha256: media.sha256 },
    quoted: quoted === null ? null : { message_id: quoted.messageId, from_me: quoted.fromMe },
  };
}

const examples = allKinds.flatMap((kind) =>
  Object.keys(kind.examples).map((example) => ({ kind, example, title: `${kind.type}: ${example}` })),
);

describe('what the recipient decrypts', () => {
  test.each(examples)('$title', async ({ kind, example }) => {
    const body = kind.schema.parse({ instance_id: '0190a0a0-0000-7000-8000-000000000001', to: other, ...kind.examples[example] });
    const media = kind.media === null ? null : await files.file(kind.media.as);
    const message: OutgoingMessage = {
      messageId: newId(),
      to: other,
      type: kind.type,
      content: kind.content(body),
      quoted: null,
      media,
      mayHaveArrived: false,
    };
    expect(await rig.sending.send(message)).toEqual(accepted);
    const received = await arrived(message);
    expect(await canonical(received)).toEqual(expected(message));
    if (media !== null) expect(await received.media()).toEqual(await readFile(media.path));
    expect(received.extras).toEqual(kind.bestEffortNote === null ? expect.not.arrayContaining(['biz']) : expect.arrayContaining(['biz']));
  });

  test.each([true, false])('a reply of each kind that can be one names the quoted message (from_me: %s)', async (fromMe) => {
    for (const kind of allKinds.filter(({ type }) => type !== 'reaction')) {
      const [example] = Object.values(kind.examples);
      const body = kind.schema.parse({ instance_id: '0190a0a0-0000-7000-8000-000000000001', to: other, ...example });
      const media = kind.media === null ? null : await files.file(kind.media.as);
      const quoted = { messageId: newId(), fromMe };
      const message: OutgoingMessage = {
        messageId: newId(),
        to: other,
        type: kind.type,
        content: kind.content(body),
        quoted,
        media,
        mayHaveArrived: false,
      };
      expect(await rig.sending.send(message)).toEqual(accepted);
      expect(await canonical(await arrived(message))).toEqual(expected(message));
    }
  });

  test('formatting, line ends, emoji and links stay as they were written, without a preview', async () => {
    const words = '  *bold* _it_ ~gone~ ```mono```\n\n> https://example.com/?a=1&b=2 👨‍👩‍👧 \u202eright\u202c';
    const message = textTo(other, words);
    await rig.sending.send(message);
    const received = await arrived(message);
    expect(received.message).toMatchObject({ conversation: words });
    expect(received.message.extendedTextMessage ?? null).toBeNull();
  });

  test('what is known of a file goes along', async () => {
    const thumbnail = randomBytes(500);
    const waveform = Uint8Array.from({ length: 64 }, (_, place) => place);
    const send = async (type: OutgoingMessage['type'], use: MediaUse, facts: MediaFacts, content = {}) => {
      const media: MediaFile = { ...(await files.file(use)), facts };
      const message: OutgoingMessage = { messageId: newId(), to: other, type, content, quoted: null, media, mayHaveArrived: false };
      expect(await rig.sending.send(message)).toEqual(accepted);
      return (await arrived(message)).message;
    };
    const size = { width: 640, height: 480 };
    const image = await send('image', 'image', { ...size, thumbnail });
    expect(image).toMatchObject({ imageMessage: size });
    expect(Buffer.from(image.imageMessage?.jpegThumbnail ?? [])).toEqual(thumbnail);
    const video = await send('video', 'video', { ...size, thumbnail, durationSeconds: 61.4 });
    expect(video).toMatchObject({ videoMessage: { ...size, seconds: 61 } });
    expect(Buffer.from(video.videoMessage?.jpegThumbnail ?? [])).toEqual(thumbnail);
    const voice = await send('audio', 'voice', { durationSeconds: 0.2, waveform });
    expect(voice).toMatchObject({ audioMessage: { ptt: true, seconds: 1 } });
    expect(new Uint8Array(voice.audioMessage?.waveform ?? [])).toEqual(waveform);
    expect(await send('sticker', 'sticker', { width: 512, height: 512, animated: true })).toMatchObject({
      stickerMessage: { width: 512, height: 512, isAnimated: true },
    });
    expect(await send('document', 'document', {}, { filename: 'Offer.pdf' })).toMatchObject({
      documentMessage: { fileName: 'Offer.pdf' },
    });
  });

  test("the sender's own phone shows what was sent, and to whom", async () => {
    const message = textTo(other, 'copied');
    await rig.sending.send(message);
    const copy = await server.person(me).nextReceived(({ id }) => id === message.messageId);
    expect(copy).toMatchObject({ from: me, to: other, message: { conversation: 'copied' } });
  });

  test('a message to the own number arrives there', async () => {
    const message = textTo(me, 'note to self');
    expect(await rig.sending.send(message)).toEqual(accepted);
    expect(await canonical(await arrived(message))).toEqual(expected(message));
  });

  test('every device of the recipient gets its own', async () => {
    const many = '34600111444';
    server.person(many).is({ companions: 3 });
    const message = textTo(many, 'for all devices');
    expect(await rig.sending.send(message)).toEqual(accepted);
    expect(await canonical(await arrived(message))).toEqual(expected(message));
    expect(rig.written.at(-1)?.content).toMatchObject([
      { tag: 'participants', content: { length: 5 } },
      { tag: 'device-identity' },
      { tag: 'cstoken' },
      { tag: 'reporting' },
    ]);
  });
});

describe('a conversation', () => {
  test('goes on after the recipient has answered, over a reconnect, and with many messages at once', async () => {
    const friend = '34600111555';
    const send = async (words: string) => {
      const message = textTo(friend, words);
      expect(await rig.sending.send(message)).toEqual(accepted);
      return (await arrived(message)).message.conversation;
    };
    expect(await send('one')).toBe('one');
    const receipts = server.record.receipts.length;
    await server.person(friend).send(me, 'answer');
    await server.record.until(() => server.record.receipts.length > receipts);
    expect(await send('two')).toBe('two');
    await rig.reconnect();
    expect(await send('three')).toBe('three');
    const words = Array.from({ length: 100 }, (_, place) => `number ${place}`);
    const before = rig.storedTimes();
    const together = words.map((one) => textTo(friend, one));
    expect(await Promise.all(together.map((message) => rig.sending.send(message)))).toEqual(words.map(() => accepted));
    expect(rig.storedTimes() - before).toBeLessThan(20);
    const received = (await server.person(friend).received()).filter(({ to }) => to === friend);
    expect(received.slice(-100).map(({ message }) => message.conversation)).toEqual(words);
  });

  test('a recipient that could not decrypt gets the message again when its phone asks', async () => {
    const deaf = '34600111666';
    server.faults.onMessage({ to: deaf }, { kind: 'undecryptable' });
    const message = textTo(deaf, 'again, please');
    expect(await rig.sending.send(message)).toEqual(accepted);
    expect(await canonical(await arrived(message))).toEqual(expected(message));
    const next = textTo(deaf, 'and the next');
    expect(await rig.sending.send(next)).toEqual(accepted);
    expect(await canonical(await arrived(next))).toEqual(expected(next));
  });

  test('a session that is stored under a phone number goes on under the LID', async () => {
    const friend = '34600111888';
    await rig.sending.send(textTo(friend, 'start'));
    const { receipts } = server.record;
    const answer = await server.person(friend).send(me, 'answer');
    await server.record.until(() => receipts.some(({ id }) => id === answer));
    const { keys } = rig.sock.authState;
    const [underLid, underNumber] = [`${server.person(friend).lid}_1.0`, `${friend}.0`];
    const { [underLid]: session } = await keys.get('session', [underLid]);
    if (!session) throw new Error('no session under the LID');
    await keys.set({ session: { [underLid]: null, [underNumber]: session } });
    rig.memory.known.clear();
    expect(await rig.sending.send(textTo(friend, 'goes on'))).toEqual(accepted);
    // A new session would begin with a `pkmsg`.
    expect(server.record.envelopes.at(-1)?.types[0]).toBe('msg');
    expect(await keys.get('session', [underNumber])).toEqual({});
  });

  /** Somebody without a LID who has two devices and has answered, and what moves the SignalSession with their phone to a LID. */
  async function friendWithoutLid(number: string) {
    const friend = server.person(number);
    friend.is({ hasLid: false, companions: 1 });
    await rig.sending.send(textTo(number, 'start'));
    const { receipts, envelopes } = server.record;
    const answer = await friend.send(me, 'answer');
    await server.record.until(() => receipts.some(({ id }) => id === answer));
    const { authState, signalRepository } = rig.sock;
    const [lid, pn] = [`${friend.lid}@lid`, `${number}@s.whatsapp.net`];
    const [to, from] = [lid, pn].map((jid) => signalRepository.jidToSignalProtocolAddress(jid)) as [string, string];
    const moveToLid = async () => {
      const session = (await authState.keys.get('session', [from]))[from];
      if (!session) throw new Error('no session under the number');
      await signalRepository.lidMapping.storeLIDPNMappings([{ lid, pn }]);
      await authState.keys.set({ session: { [from]: null, [to]: session } });
      rig.memory.known.delete(pn);
      rig.memory.people.delete(number);
    };
    const typesOf = (message: OutgoingMessage) => envelopes.find(({ id }) => id === message.messageId)?.types;
    return { moveToLid, typesOf, stored: () => authState.keys.get('session', [`${number}.0`, `${number}.1`]) };
  }

  test('a message that was prepared before its session moved to the LID reaches the phone all the same', async () => {
    const friend = '34600111901';
    const { moveToLid, typesOf } = await friendWithoutLid(friend);
    const { signalSessionMutex } = rig.memory;
    const take = signalSessionMutex.take.bind(signalSessionMutex);
    signalSessionMutex.take = async (work) => {
      signalSessionMutex.take = take;
      await moveToLid();
      return take(work);
    };
    const message = textTo(friend, 'on the way');
    expect(await rig.sending.send(message)).toEqual(accepted);
    expect(await arrived(message)).toMatchObject({ message: { conversation: 'on the way' } });
    expect(typesOf(message)).toHaveLength(3);
  });

  test('a person whose LID is known is written to in its sessions although the network does not name the LID', async () => {
    const friend = '34600111902';
    const { moveToLid, typesOf, stored } = await friendWithoutLid(friend);
    await moveToLid();
    for (const words of ['one', 'two']) {
      const message = textTo(friend, words);
      expect(await rig.sending.send(message)).toEqual(accepted);
      expect(await arrived(message)).toMatchObject({ message: { conversation: words } });
      expect(typesOf(message)?.[0]).toBe('msg');
      expect(typesOf(message)).toHaveLength(3);
    }
    expect(await stored()).toEqual({});
  });

  test('sends and answers that cross each other lose nothing', async () => {
    const friend = '34600111777';
    await rig.sending.send(textTo(friend, 'start'));
    const messages = Array.from({ length: 60 }, (_, place) => textTo(friend, `crossing ${place}`));
    const outcomes = messages.map(async (message, place) => {
      if (place % 3 === 0) await server.person(friend).send(me, `answer ${place}`);
      return rig.sending.send(message);
    });
    expect(new Set((await Promise.all(outcomes)).map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    for (const message of messages) expect(await arrived(message)).toMatchObject({ message: { conversation: message.content.text } });
  });

  test('the server saw nothing that the network would have refused', () => {
    expect(server.record.problems.filter((line) => !line.includes('undecryptable'))).toEqual([]);
    expect(server.record.incomplete).toEqual([]);
    expect(rig.warnings).toEqual([]);
  });
});
