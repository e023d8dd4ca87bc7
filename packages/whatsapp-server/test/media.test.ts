import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createWorld, jid } from './world.ts';

const world = createWorld();
const preview = { jpegThumbnail: '' };

it.each([
  ['image', (file: Buffer) => ({ image: file, ...preview })],
  ['video', (file: Buffer) => ({ video: file, ...preview })],
  ['audio', (file: Buffer) => ({ audio: file, seconds: 3, mimetype: 'audio/ogg; codecs=opus', ptt: true, waveform: new Uint8Array(64) })],
  ['document', (file: Buffer) => ({ document: file, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'read' })],
  ['sticker', (file: Buffer) => ({ sticker: file })],
] as const)('stores an uploaded %s, which the recipient decrypts byte for byte', async (_kind, content) => {
  const { server } = world;
  const bob = world.number();
  const { client } = await world.link(world.number());
  const file = randomBytes(100_000);
  const uploads = server.record.uploads;
  const sent = await client.sock.sendMessage(jid(bob), content(file));
  const got = await server.person(bob).nextReceived(({ id }) => id === sent?.key.id);
  expect(file.equals(await got.media())).toBe(true);
  expect(server.record.uploads).toBe(uploads + 1);
});

it.each(['refuse', 'cut'] as const)('fails an upload: %s', async (kind) => {
  const { server } = world;
  const { client } = await world.link(world.number());
  const { uploads } = server.record;
  server.faults.onUpload({}, { kind });
  await expect(client.sock.sendMessage(jid(world.number()), { document: randomBytes(1_000_000), mimetype: 'text/plain' })).rejects.toThrow(
    'upload failed',
  );
  expect(server.record.uploads).toBe(uploads);
});
