import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, someBytes, startFileServer } from '../support/file-server.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { anyStore } from '../support/run-options.ts';
import { outcome } from './outcome.ts';

describe('media is delivered in the shape of its kind', () => {
  let gateway: TestGateway;
  let files: FileServer;
  let customer: Customer;
  let instance_id: string;
  let sound: Buffer;
  /** Smaller than the voice note that is made from it. */
  let poorSound: Buffer;
  let film: Buffer;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sound-'));
    const made = (name: string, input: string, ...options: string[]) => {
      const path = join(folder, name);
      execFileSync('ffmpeg', ['-nostdin', '-y', '-v', 'error', '-f', 'lavfi', '-i', input, ...options, path]);
      return readFileSync(path);
    };
    sound = made('sound.mp3', 'sine=duration=2');
    poorSound = made('poor.mp3', 'sine=duration=2', '-ar', '8000', '-b:a', '8k');
    film = made('film.mp4', 'testsrc=size=64x48:duration=1:rate=5', '-pix_fmt', 'yuv420p');
    rmSync(folder, { recursive: true });
    files = await startFileServer();
    gateway = await startGateway(anyStore, { env: { MEDIA_ALLOW_HOSTS: files.allowed } });
    customer = await gateway.customer({ plan: await gateway.plan() });
    instance_id = await customer.linked();
  });
  afterAll(async () => {
    await gateway.stop();
    await files.close();
  });

  let contacts = 0;
  async function arrived(type: string, url: string) {
    const to = `49170${3_000_010 + ++contacts}`;
    expect(outcome(await customer.send(type, { instance_id, to, url }))).toBe('200');
    return (await customer.received(to))[0].content;
  }
  const picture = () => sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } });
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const kept = () => gateway.apps.flatMap(({ config }) => readdirSync(join(config.dataDir, 'media')));

  it('an MP3 arrives as a voice note, whatever its server calls it [media.converted]', async () => {
    const url = files.serve('/voice', { bytes: sound, headers: { 'content-type': 'text/plain' } });
    const content = await arrived('audio', url);
    expect(content.mime_type).toBe('audio/ogg; codecs=opus');
    expect(content.sha256).not.toBe(sha256(sound));
    expect(kept()).toEqual([]);
  });

  it('a picture arrives as a sticker, one that is a sticker already as it is [media.converted]', async () => {
    const content = await arrived('sticker', files.serve('/picture.png', { bytes: await picture().png().toBuffer() }));
    expect(content.mime_type).toBe('image/webp');
    const sticker = await picture().resize(512, 512).webp().toBuffer();
    expect(await arrived('sticker', files.serve('/sticker', { bytes: sticker }))).toMatchObject({
      mime_type: 'image/webp',
      size: sticker.length,
      sha256: sha256(sticker),
    });
  });

  it('images, videos and documents arrive byte for byte', async () => {
    const image = await picture().jpeg().toBuffer();
    for (const [type, bytes, mime_type] of [
      ['image', image, 'image/jpeg'],
      ['document', image, 'image/jpeg'],
      ['video', film, 'video/mp4'],
    ] as const) {
      const url = files.serve(`/as-${type}`, { bytes, headers: { 'content-type': 'application/x-own' } });
      expect(await arrived(type, url)).toMatchObject({ mime_type, size: bytes.length, sha256: sha256(bytes) });
    }
    expect(kept()).toEqual([]);
  });

  it('what cannot be converted arrives as it is [media.original]', async () => {
    for (const type of ['audio', 'sticker', 'image', 'video', 'document']) {
      expect(await arrived(type, files.serve(`/odd-${type}`))).toMatchObject({ size: someBytes.length, sha256: sha256(someBytes) });
    }
    expect(kept()).toEqual([]);
  });

  it('a voice note is no larger than MEDIA_MAX_BYTES: the sound arrives as it is instead', async () => {
    const url = files.serve('/poor.mp3', { bytes: poorSound });
    const note = await arrived('audio', url);
    expect(note.size).toBeGreaterThan(poorSound.length);
    for (const [most, expected] of [
      [note.size, note.sha256],
      [note.size - 1, sha256(poorSound)],
    ]) {
      await gateway.restart({ env: { MEDIA_MAX_BYTES: String(most) } });
      await customer.reaches(instance_id, 'open');
      expect((await arrived('audio', url)).sha256).toBe(expected);
    }
    await gateway.restart();
    await customer.reaches(instance_id, 'open');
  });

  it('an unchanged file is converted once for all its recipients', async () => {
    const url = files.serve('/campaign.mp3', { bytes: sound, headers: { 'cache-control': 'max-age=600' } });
    const notes = await Promise.all(Array.from({ length: 5 }, () => arrived('audio', url)));
    notes.push(await arrived('audio', url));
    expect(new Set(notes.map((note) => note.sha256)).size).toBe(1);
    // The file and its voice note, for the next recipient.
    expect(kept()).toHaveLength(2);
    await gateway.restart();
    expect(kept()).toEqual([]);
  });
});
