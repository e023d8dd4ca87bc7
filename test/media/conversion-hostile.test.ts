import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MediaUse } from '../../src/kinds/index.ts';
import { blackPng, hugeGif } from './bombs.ts';
import { type ConversionWorld, expectOriginal, inConversionWorld, made } from './conversion-world.ts';

const uses: MediaUse[] = ['image', 'sticker', 'video', 'voice', 'document'];
const mebibyte = 1024 * 1024;

/** How far the memory of this process, the gateway's in life, goes beyond what it ever was while `run` runs. */
async function growth(run: () => Promise<void>): Promise<number> {
  const before = process.resourceUsage().maxRSS * 1024;
  await run();
  return process.resourceUsage().maxRSS * 1024 - before;
}

async function sentAsItIs(bytes: Buffer, use: MediaUse): Promise<void> {
  await inConversionWorld(async (world) => {
    await expectOriginal(world, await world.prepare(bytes, use), bytes);
    expect(world.warnings).toEqual([]);
  });
}

describe('pictures that are small files and gigantic when unpacked are sent as they are', () => {
  const bombs: [string, () => Promise<Buffer> | Buffer][] = [
    ['a PNG of 50,000×50,000', () => blackPng({ width: 50_000, height: 50_000, bitDepth: 1, colour: 'grey' })],
    ['a GIF of 50,000×50,000', () => hugeGif(50_000, 50_000)],
    ['a GIF of 20,000 frames', () => hugeGif(400, 400, 20_000)],
    [
      'a PNG of 7,000×7,000 that must be unpacked as a whole',
      () => blackPng({ width: 7_000, height: 7_000, bitDepth: 16, colour: 'rgba', interlaced: true }),
    ],
  ];
  test.each(bombs)('%s', async (name, make) => {
    const bytes = await make();
    expect(bytes.length).toBeLessThan(2 * mebibyte);
    const grown = await growth(async () => {
      await sentAsItIs(bytes, 'sticker');
      // The first frame alone is small.
      if (!name.includes('frames')) await sentAsItIs(bytes, 'image');
      await sentAsItIs(bytes, 'video');
    });
    expect(grown).toBeLessThan(64 * mebibyte);
  });
});

test('a large picture within the limits is read', async () => {
  await inConversionWorld(async (world) => {
    const bytes = await blackPng({ width: 7_000, height: 7_000, bitDepth: 8, colour: 'rgba' });
    const image = await world.prepare(bytes, 'image');
    expect(image.facts).toMatchObject({ width: 7_000, height: 7_000 });
    const sticker = await world.prepare(bytes, 'sticker');
    expect(sticker.mimeType).toBe('image/webp');
    await image.release();
    await sticker.release();
  });
});

describe('a file that names other files or addresses is sent as it is, and nothing it names is opened', () => {
  /** Makes a file that names another one, which could well be converted, by its path or under a link. */
  const cases: [string, (path: string, link: string) => string][] = [
    ['a playlist with a path', (path) => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://${path}\n#EXT-X-ENDLIST\n`],
    ['a playlist with a link', (_, link) => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${link}\n#EXT-X-ENDLIST\n`],
    ['a playlist of a secret', () => '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a list of parts', (path) => `ffconcat version 1.0\nfile '${path}'\n`],
    ['a list of parts beside it', () => 'ffconcat version 1.0\nfile tone.wav\n'],
    ['a list of parts by link', (_, link) => `ffconcat version 1.0\nfile ${link}\n`],
    [
      'a manifest',
      (_, link) =>
        `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet><Representation id="1" mimeType="audio/mp4" bandwidth="1"><BaseURL>${link}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ],
    [
      'a session description',
      (_, link) => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\na=control:${link}\nm=audio 9 RTP/AVP 0\n`,
    ],
    [
      'a vector graphic',
      (path, link) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><image href="file://${path}" width="9" height="9"/><image href="${link}" width="9" height="9"/></svg>`,
    ],
  ];

  test.each(cases)('%s', async (_, make) => {
    const opened: (string | undefined)[] = [];
    await inConversionWorld(async (world) => {
      const tone = await made(world, 'tone.wav', ['-f', 'lavfi', '-i', 'sine=duration=1']);
      const server = createServer((request, response) => {
        opened.push(request.url);
        response.end(tone);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const path = join(world.inputs, 'tone.wav');
      await writeFile(path, tone);
      const bytes = Buffer.from(make(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}/tone.wav`));
      for (const use of uses) await expectOriginal(world, await world.prepare(bytes, use), bytes);
      server.close();
    });
    expect(opened).toEqual([]);
  });
});

describe('files that are not whole, or not what they are sent as, are sent as they are', () => {
  const film = (world: ConversionWorld) => made(world, 'film.mp4', ['-f', 'lavfi', '-i', 'testsrc=duration=1', '-pix_fmt', 'yuv420p']);
  const picture = () => sharp({ create: { width: 900, height: 900, channels: 3, background: 'red' } });
  const cases: [string, MediaUse[], (world: ConversionWorld) => Promise<Buffer>][] = [
    ['half a film', ['video', 'voice', 'image', 'sticker'], async (world) => half(await film(world))],
    ['half a JPEG', ['sticker', 'video', 'voice'], async () => half(await picture().jpeg().toBuffer())],
    ['half a PNG', ['sticker', 'video', 'voice'], async () => half(await picture().png().toBuffer())],
    ['half a WebP', ['sticker', 'video', 'voice'], async () => half(await picture().webp({ lossless: true }).toBuffer())],
    ['a film', ['voice', 'image', 'sticker', 'document'], film],
    ['a picture', ['voice', 'video', 'document'], () => picture().png().toBuffer()],
    ['a sound', ['video', 'image', 'sticker', 'document'], (world) => made(world, 'tone.mp3', ['-f', 'lavfi', '-i', 'sine=duration=1'])],
  ];
  test.each(cases)('%s', async (_, sentAs, make) => {
    await inConversionWorld(async (world) => {
      const bytes = await make(world);
      for (const use of sentAs) await expectOriginal(world, await world.prepare(bytes, use), bytes);
      expect(world.warnings).toEqual([]);
    });
  });
});

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}
