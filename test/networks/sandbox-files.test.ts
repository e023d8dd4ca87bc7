import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { storeKinds } from '../support/stores.ts';
import { pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { available, mediaMessage, stored, useMediaFiles } from './sandbox-files-fixture.ts';
import { useSandbox } from './sandbox-fixture.ts';

const phone = '491701234567';
const mebibyte = 1024 * 1024;
const accepted = { outcome: 'accepted' };

describe.each(storeKinds)('files of the sandbox on %s', (kind) => {
  const setup = useSandbox(kind);
  const { mediaFile, slowFile } = useMediaFiles();

  test('a delivered file can be looked at, and its message says what is known of it', async () => {
    const sandbox = await setup();
    const { network, accountId } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const bytes = randomBytes(100_000);
    const thumbnail = randomBytes(500);
    const waveform = Uint8Array.from({ length: 64 }, (_, index) => index);
    const image = await mediaFile('image', bytes, { width: 800, height: 600, thumbnail, animated: false });
    const voice = await mediaFile('voice', randomBytes(50), { durationSeconds: 7, waveform });
    const document = await mediaFile('document', randomBytes(50));
    const unknown = await mediaFile('document');
    for (const media of [image, voice, document, unknown])
      expect(await link.send(mediaMessage(sandbox, to, media))).toMatchObject(accepted);
    await link.send(textMessage(network, to));

    expect(await network.file(accountId, image.sha256)).toEqual({ mimeType: 'image/png', bytes });
    const chat = await network.chat(accountId, to);
    expect(chat.map(({ file }) => file)).toEqual([
      { available: true, width: 800, height: 600, thumbnail: thumbnail.toString('base64') },
      { available: true, duration_seconds: 7, waveform: [...waveform] },
      { available: true },
      { available: true },
      null,
    ]);
    expect((await network.contacts(accountId))[0]?.last_message.file).toBeNull();
    await link.send(mediaMessage(sandbox, sandbox.numbers.ordinary[1], image));
    expect((await network.contacts(accountId))[0]?.last_message.file).toEqual(chat[0]?.file);
    const messages = (await network.messages(accountId, to))?.messages ?? [];
    expect(messages).toEqual(chat.map(({ file: _, ...message }) => message));
    expect(messages[0]?.content).toEqual({ caption: 'Look', mime_type: 'image/png', size: bytes.length, sha256: image.sha256 });
  });

  test('the same file is kept once, under the media type it was last sent with', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const [first, second] = sandbox.numbers.ordinary;
    const media = await mediaFile('image');
    const sent = await Promise.all([first, second, first].map((to) => link.send(mediaMessage(sandbox, to, media))));
    expect(sent).toEqual([accepted, accepted, accepted].map((outcome) => expect.objectContaining(outcome)));
    await link.send(mediaMessage(sandbox, second, { ...media, mimeType: 'image/x-other' }));
    expect(await stored(sandbox)).toEqual([{ sha256: media.sha256, size: media.size }]);
    expect((await sandbox.network.file(sandbox.accountId, media.sha256))?.mimeType).toBe('image/x-other');
    expect([await available(sandbox, first), await available(sandbox, second)]).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test("another account's file, an unknown one and a name that is none are null", async () => {
    const sandbox = await setup();
    const other = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const media = await mediaFile('image');
    await link.send(mediaMessage(sandbox, sandbox.numbers.ordinary[0], media));
    expect(await sandbox.network.file(sandbox.accountId, media.sha256)).not.toBeNull();
    expect(await other.network.file(other.accountId, media.sha256)).toBeNull();
    for (const name of ['', '0'.repeat(64), media.sha256.toUpperCase(), `${media.sha256}\u0000`, '\u0000', '%']) {
      expect(await sandbox.network.file(sandbox.accountId, name)).toBeNull();
    }
    // The other account received the same file, but too large to be kept: it must not be shown to have it.
    const theirs = await pairedLink(other, phone);
    await theirs.link.send(mediaMessage(other, other.numbers.ordinary[0], { ...media, size: 5 * mebibyte }));
    expect(await available(other, other.numbers.ordinary[0])).toEqual([false]);
  });

  test('a file that cannot be read does not keep its message from arriving', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const media = await mediaFile('image');
    await rm(media.path);
    expect(await link.send(mediaMessage(sandbox, to, media))).toMatchObject(accepted);
    expect(await available(sandbox, to)).toEqual([false]);
  });

  test('a message comes after its file, later ones to the contact come after it, and nobody else waits', async () => {
    const sandbox = await setup();
    const { network, accountId } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    const [first, second] = sandbox.numbers.ordinary;
    const { media, opened } = await slowFile();
    const waiting = [mediaMessage(sandbox, first, media), textMessage(network, first), textMessage(network, first)];
    const sent = Promise.all(waiting.map((message) => link.send(message)));
    expect(await link.send(textMessage(network, second))).toMatchObject(accepted);
    expect((await network.messages(accountId, first))?.messages).toEqual([]);
    const arrive = await opened();
    await arrive();
    await sent;
    expect(await link.send(textMessage(network, first, 'last'))).toMatchObject(accepted);
    const received = (await network.messages(accountId, first))?.messages ?? [];
    expect(received.slice(0, 3).map(({ message_id }) => message_id)).toEqual(waiting.map(({ messageId }) => messageId));
    expect(received.at(-1)?.content).toEqual({ text: 'last' });
    expect(await available(sandbox, first)).toEqual([true, undefined, undefined, undefined]);
  });

  test('messages with and without files arrive in the order in which they were handed over', async () => {
    const sandbox = await setup();
    const { network, accountId } = sandbox;
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const messages = await Promise.all(
      Array.from({ length: 60 }, async (_, index) =>
        index % 3 === 0 ? mediaMessage(sandbox, to, await mediaFile('image', randomBytes(100 * (60 - index)))) : textMessage(network, to),
      ),
    );
    await Promise.all(messages.map((message) => link.send(message)));
    expect(((await network.messages(accountId, to))?.messages ?? []).map(({ message_id }) => message_id)).toEqual(
      messages.map(({ messageId }) => messageId),
    );
    expect((await stored(sandbox)).length).toBe(20);
  });

  test('after ten seconds a message no longer waits for its file', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const { media, opened } = await slowFile();
    const sent = link.send(mediaMessage(sandbox, to, media));
    await sandbox.clock.advanceAsync(10_000);
    expect(await sent).toMatchObject(accepted);
    expect(await available(sandbox, to)).toEqual([false]);
    const arrive = await opened();
    await arrive();
    await sandbox.network.close();
    expect(await available(sandbox, to)).toEqual([true]);
    expect(sandbox.clock.pending).toBe(0);
  });

  test('closing the network waits for a file that is being kept', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    const { media, opened } = await slowFile();
    const sent = link.send(mediaMessage(sandbox, to, media));
    const arrive = await opened();
    const neverKept = link.send(mediaMessage(sandbox, to, await mediaFile('image')));
    const closed = sandbox.network.close();
    await arrive();
    await closed;
    expect(await stored(sandbox)).toEqual([{ sha256: media.sha256, size: media.size }]);
    await Promise.all([sent, neverKept]);
    expect(await available(sandbox, to)).toEqual([true, false]);
    expect(sandbox.clock.pending).toBe(0);
  });

  test('a message from before files were kept has one that is not available', async () => {
    const { network, store, accountId, clock, numbers } = await setup();
    const [to] = numbers.ordinary;
    const content = JSON.stringify({ mime_type: 'image/png', size: 1, sha256: '0'.repeat(64) });
    const before = { account_id: accountId, message_id: 'x', from_number: phone, to_number: to, type: 'image', content };
    await store.db
      .insertInto('sandbox_messages')
      .values({ ...before, received_at: clock.now() })
      .execute();
    expect((await network.chat(accountId, to)).map(({ file }) => file)).toEqual([{ available: false }]);
  });
});
