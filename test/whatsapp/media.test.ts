import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probe } from '../media/conversion-world.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { refusal } from '../support/refusal.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const thumbnailBytes = 16 * 1024;
const cacheable = { 'cache-control': 'max-age=600' };

describe('files over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let files: FileServer;
  let instance_id: string;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'whatsapp-media-'));
    files = await startFileServer();
    world = await startWhatsAppWorld({ env: { MEDIA_ALLOW_HOSTS: files.allowed } });
    instance_id = await world.linkedNumber('4915110000002');
  });
  afterAll(async () => {
    await world?.close();
    await files?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What ffmpeg makes of these inputs; the name chooses the format. */
  function made(name: string, ...inputs: string[]): Buffer {
    const path = join(folder, name);
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', ...inputs, '-threads', '1', '-y', path]);
    return readFileSync(path);
  }
  // Noise, which compresses badly: a thumbnail of a plain colour would be small without any bound.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = () => sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal', noise } });

  async function arrived(type: string, body: object) {
    const recipient = world.somebody();
    const answer = await world.customer.send(type, { instance_id, to: recipient.number, ...body });
    expect(answer.body).toMatchObject({ success: true });
    const received = await recipient.nextReceived(({ id }) => id === answer.body.data.message_id);
    return { message: received.message, bytes: await received.media() };
  }
  async function expectThumbnail(bytes: Uint8Array | null | undefined, shape: { width: number; height: number }) {
    expect(bytes?.length).toBeGreaterThan(0);
    expect(bytes?.length).toBeLessThanOrEqual(thumbnailBytes);
    const { format, width, height } = await sharp(bytes ?? new Uint8Array()).metadata();
    expect(format).toBe('jpeg');
    expect(width / height).toBeCloseTo(shape.width / shape.height, 1);
  }

  it('an image arrives byte for byte, with its size and a thumbnail [media.converted]', async () => {
    const bytes = await picture().jpeg().toBuffer();
    const url = files.serve('/picture.jpg', { bytes, headers: { 'content-type': 'image/jpeg' } });
    const { message, bytes: got } = await arrived('image', { url, caption: 'A *teal* picture' });
    expect(got.equals(bytes)).toBe(true);
    expect(message.imageMessage).toMatchObject({ mimetype: 'image/jpeg', caption: 'A *teal* picture', width: 640, height: 480 });
    await expectThumbnail(message.imageMessage?.jpegThumbnail, { width: 640, height: 480 });
  });

  it('a video arrives byte for byte, with its length, its size and a thumbnail [media.converted]', async () => {
    const bytes = made('film.mp4', '-f', 'lavfi', '-i', 'testsrc=size=320x240:duration=2:rate=10', '-pix_fmt', 'yuv420p');
    const url = files.serve('/film.mp4', { bytes, headers: { 'content-type': 'video/mp4' } });
    const { message, bytes: got } = await arrived('video', { url, caption: 'Film' });
    expect(got.equals(bytes)).toBe(true);
    expect(message.videoMessage).toMatchObject({ mimetype: 'video/mp4', caption: 'Film', seconds: 2, width: 320, height: 240 });
    await expectThumbnail(message.videoMessage?.jpegThumbnail, { width: 320, height: 240 });
  });

  it('a document arrives byte for byte under its name, whatever is in it', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251));
    const url = files.serve('/x', { bytes });
    const body = { url, filename: 'Ünïcode & Co.bin', caption: 'Take this', mime_type: 'application/x-own' };
    const { message, bytes: got } = await arrived('document', body);
    expect(got.equals(bytes)).toBe(true);
    expect(message.documentWithCaptionMessage?.message?.documentMessage).toMatchObject({
      fileName: 'Ünïcode & Co.bin',
      caption: 'Take this',
      mimetype: 'application/x-own',
    });
  });

  it('an animated GIF arrives as the looping video that phones make of it [media.looping]', async () => {
    const bytes = made('moving.gif', '-f', 'lavfi', '-i', 'testsrc=size=320x240:duration=2:rate=5');
    const url = files.serve('/moving.gif', { bytes, headers: { 'content-type': 'image/gif' } });
    const { message, bytes: got } = await arrived('image', { url, caption: 'It moves' });
    expect(message.imageMessage).toBeNull();
    expect(message.videoMessage).toMatchObject({
      gifPlayback: true,
      mimetype: 'video/mp4',
      caption: 'It moves',
      seconds: 2,
      width: 320,
      height: 240,
      fileLength: expect.anything(),
    });
    await expectThumbnail(message.videoMessage?.jpegThumbnail, { width: 320, height: 240 });
    const path = join(folder, 'received.mp4');
    writeFileSync(path, got);
    expect((await probe(path)).streams).toMatchObject([{ codec_name: 'h264', pix_fmt: 'yuv420p', nb_frames: '10' }]);
  });

  it('a sound arrives as a voice note that plays, with length and waveform', async () => {
    // A second of silence, then two of a tone.
    const sound = 'aevalsrc=exprs=if(gte(t\\,1)\\,sin(2000*t)/2\\,0):duration=3:sample_rate=44100';
    const url = files.serve('/sound.mp3', { bytes: made('sound.mp3', '-f', 'lavfi', '-i', sound) });
    const { message, bytes } = await arrived('audio', { url });
    expect(message.audioMessage).toMatchObject({ ptt: true, mimetype: 'audio/ogg; codecs=opus', seconds: 3 });
    const waveform = [...(message.audioMessage?.waveform ?? [])];
    expect(waveform).toHaveLength(64);
    expect(Math.max(...waveform.slice(0, 18))).toBeLessThan(10);
    expect(Math.min(...waveform.slice(25, 62))).toBeGreaterThan(80);

    const path = join(folder, 'received.ogg');
    writeFileSync(path, bytes);
    const { streams, format } = await probe(path);
    expect(streams).toMatchObject([{ codec_name: 'opus', channels: 1 }]);
    expect(Number(format.duration)).toBeCloseTo(3, 0);
    // Decoding it to the end is what playing does.
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-xerror', '-i', path, '-f', 'null', '-']);
  });

  it('a picture arrives as a sticker of 512 by 512, an animated one still moves', async () => {
    const still = await arrived('sticker', { url: files.serve('/still.png', { bytes: await picture().png().toBuffer() }) });
    expect(await sharp(still.bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
    expect(still.message.stickerMessage).toMatchObject({ mimetype: 'image/webp', width: 512, height: 512, isAnimated: false });

    const frames = ['-f', 'lavfi', '-i', 'testsrc=size=512x512:duration=1:rate=4', '-loop', '0'];
    const bytes = made('moving.webp', ...frames);
    const moving = await arrived('sticker', { url: files.serve('/moving.webp', { bytes, headers: { 'content-type': 'image/webp' } }) });
    expect((await sharp(moving.bytes, { animated: true }).metadata()).pages).toBe(4);
    expect(moving.message.stickerMessage).toMatchObject({ mimetype: 'image/webp', isAnimated: true });
  });

  it('the same file to twenty people is fetched once and uploaded once [media.uploaded-once]', async () => {
    const bytes = await picture().png().toBuffer();
    const url = files.serve('/campaign.png', { bytes, headers: cacheable });
    const before = { requests: files.requests.length, uploads: world.server.record.uploads };
    const recipients = Array.from({ length: 20 }, () => world.somebody());
    const answers = await Promise.all(
      recipients.map(({ number }) => world.customer.send('image', { instance_id, to: number, url, caption: number })),
    );
    for (const [index, recipient] of recipients.entries()) {
      const received = await recipient.nextReceived(({ id }) => id === answers[index]?.body.data?.message_id);
      expect(received.message.imageMessage?.caption).toBe(recipient.number);
      expect((await received.media()).equals(bytes)).toBe(true);
    }
    expect(files.requests.length - before.requests).toBe(1);
    expect(world.server.record.uploads - before.uploads).toBe(1);
  });

  it('a file goes when WhatsApp does not say at first where to, and the next one when it has not said at all', async () => {
    const id = await world.linkedNumber('4915110000003');
    const bytes = await picture().png().toBuffer();
    const url = files.serve('/where-to.png', { bytes, headers: { 'content-type': 'image/png' } });
    const send = () => world.customer.send('image', { instance_id: id, to: world.somebody().number, url });
    world.server.faults.onMediaServers({ times: 2 });
    expect(await send()).toMatchObject(refusal(502, 'upstream_unavailable'));
    world.server.faults.onMediaServers({ times: 1 });
    expect((await send()).body).toMatchObject({ success: true });
  });

  it('a link in a text is not followed: there is no preview', async () => {
    const url = files.serve('/linked-page', { headers: { 'content-type': 'text/html' } });
    const recipient = world.somebody();
    const text = `Look at ${url} and at ${files.url('/other')}`;
    const answer = await world.customer.send('text', { instance_id, to: recipient.number, text });
    const received = await recipient.nextReceived(({ id }) => id === answer.body.data.message_id);
    const { messageContextInfo, ...shown } = received.message;
    expect(shown).toEqual({ conversation: text });
    expect(files.requests.filter(({ path }) => path === '/linked-page' || path === '/other')).toEqual([]);
  });

  it('nothing was refused, undecryptable or missed a device', () => {
    expect(world.server.record.problems).toEqual([]);
    expect(world.server.record.incomplete).toEqual([]);
  });
});
