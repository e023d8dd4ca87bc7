import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { FetchedMedia } from '../../src/media/index.ts';
import { expectOriginal, inConversionWorld, made } from './conversion-world.ts';

const blue = { r: 20, g: 20, b: 200 };

async function expectThumbnail({ facts }: FetchedMedia, width: number, height: number): Promise<Buffer> {
  const thumbnail = Buffer.from(facts?.thumbnail ?? []);
  expect(thumbnail.length).toBeLessThanOrEqual(16 * 1024);
  expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg', width, height });
  return thumbnail;
}

describe('an image is sent byte for byte, with its size and a thumbnail', () => {
  const picture = () => sharp({ create: { width: 480, height: 320, channels: 3, background: blue } });
  test.each([
    ['jpeg', () => picture().jpeg()],
    ['png', () => picture().png()],
    ['webp', () => picture().webp()],
    ['transparent png', () => picture().ensureAlpha(0.9).png()],
  ])('%s [media.image-formats]', async (_, make) => {
    await inConversionWorld(async (world) => {
      const bytes = await make().toBuffer();
      const media = await world.prepare(bytes, 'image');
      expect((await readFile(media.path)).equals(bytes)).toBe(true);
      expect(media).toMatchObject({ mimeType: 'application/x-fetched', facts: { width: 480, height: 320 } });
      const { dominant } = await sharp(await expectThumbnail(media, 96, 64)).stats();
      expect(dominant.b).toBeGreaterThan(dominant.r + 100);
      expect(await world.files()).toEqual([]);
      await media.release();
      expect(world.unreleased.size).toBe(0);
    });
  });

  test('as shown, not as stored', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer();
      const media = await world.prepare(bytes, 'image');
      expect(media.facts).toMatchObject({ width: 320, height: 480 });
      await expectThumbnail(media, 64, 96);
      await media.release();
    });
  });

  test('of a picture smaller than a thumbnail too', async () => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await picture().resize(20, 10).png().toBuffer(), 'image');
      await expectThumbnail(media, 20, 10);
      await media.release();
    });
  });

  test('but without them when it cannot be read', async () => {
    await inConversionWorld(async (world) => {
      for (const bytes of [
        Buffer.from('text'),
        Buffer.from('\xff\xd8\xff no jpeg', 'latin1'),
        (await picture().png().toBuffer()).subarray(0, 90),
      ])
        await expectOriginal(world, await world.prepare(bytes, 'image'), bytes);
      expect(world.warnings).toEqual([]);
    });
  });
});

describe('a video is sent byte for byte, with its size, duration and a thumbnail', () => {
  const film = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:duration=4:rate=10', '-pix_fmt', 'yuv420p'];
  test.each([
    ['film.mp4', film],
    ['film.mov', film],
    ['film.mkv', film],
    ['film.webm', [...film, '-c:v', 'libvpx', '-deadline', 'realtime']],
    ['film.avi', [...film, '-c:v', 'mpeg4']],
    ['film.ts', [...film, '-c:v', 'mpeg2video', '-r', '25']],
  ])('%s', async (name, args) => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, name, args);
      const media = await world.prepare(bytes, 'video');
      expect((await readFile(media.path)).equals(bytes)).toBe(true);
      expect(media).toMatchObject({ mimeType: 'application/x-fetched', facts: { width: 320, height: 180, durationSeconds: 4 } });
      await expectThumbnail(media, 96, 54);
      expect(await world.files()).toEqual([]);
      await media.release();
      expect(world.unreleased.size).toBe(0);
    });
  });

  test('as shown, not as stored', async () => {
    await inConversionWorld(async (world) => {
      const flat = await world.fetched(await made(world, 'film.mp4', film), 'video');
      const media = await world.prepare(
        await made(world, 'turned.mp4', ['-i', flat.path, '-c', 'copy', '-metadata:s:v:0', 'rotate=90']),
        'video',
      );
      await flat.release();
      expect(media.facts).toMatchObject({ width: 180, height: 320 });
      await expectThumbnail(media, 54, 96);
      await media.release();
    });
  });

  test.each([
    ['narrow pixels', '2/3', [120, 180], [64, 96]],
    ['wide pixels', '64/45', [256, 180], [96, 68]],
    ['pixels of unknown shape', '0', [180, 180], [96, 96]],
  ] as const)(
    'in the shape of its pixels: %s [media.pixel-shape]',
    async (_, aspect, [width, height], [thumbnailWidth, thumbnailHeight]) => {
      await inConversionWorld(async (world) => {
        const args = ['-f', 'lavfi', '-i', 'testsrc=size=180x180:duration=1:rate=5', '-vf', `setsar=${aspect}`, '-pix_fmt', 'yuv420p'];
        const upright = await world.fetched(await made(world, 'film.mp4', args), 'video');
        const turned = await made(world, 'turned.mp4', ['-i', upright.path, '-c', 'copy', '-metadata:s:v:0', 'rotate=90']);
        for (const [bytes, swap] of [
          [await readFile(upright.path), false],
          [turned, true],
        ] as const) {
          const media = await world.prepare(bytes, 'video');
          expect(media.facts).toMatchObject(swap ? { width: height, height: width } : { width, height });
          await expectThumbnail(media, swap ? thumbnailHeight : thumbnailWidth, swap ? thumbnailWidth : thumbnailHeight);
          await media.release();
        }
        await upright.release();
      });
    },
  );

  test('whose thumbnail is not its first frame, which is often black', async () => {
    await inConversionWorld(async (world) => {
      const args = [
        '-f',
        'lavfi',
        '-i',
        'color=black:size=320x180:duration=1:rate=10',
        '-f',
        'lavfi',
        '-i',
        'color=white:size=320x180:duration=3:rate=10',
      ];
      const bytes = await made(world, 'film.mp4', [...args, '-filter_complex', 'concat=n=2:v=1', '-g', '5', '-pix_fmt', 'yuv420p']);
      const media = await world.prepare(bytes, 'video');
      const { channels } = await sharp(await expectThumbnail(media, 96, 54)).stats();
      expect(channels[0]?.mean).toBeGreaterThan(200);
      await media.release();
    });
  });

  test('but without them when it has no picture', async () => {
    await inConversionWorld(async (world) => {
      const sound = await made(world, 'sound.mp4', ['-f', 'lavfi', '-i', 'sine=duration=1']);
      for (const bytes of [sound, Buffer.from('text')]) await expectOriginal(world, await world.prepare(bytes, 'video'), bytes);
      expect(world.warnings).toEqual([]);
    });
  });
});

test('a document is sent byte for byte', async () => {
  await inConversionWorld(async (world) => {
    for (const bytes of [Buffer.from('%PDF-1.5\n%%EOF\n'), Buffer.from('a,b\n1,2\n')])
      await expectOriginal(world, await world.prepare(bytes, 'document'), bytes);
  });
});
