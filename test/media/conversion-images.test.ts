import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { FetchedMedia } from '../../src/media/index.ts';
import { type ConversionWorld, expectOriginal, inConversionWorld, made, probe } from './conversion-world.ts';
import { heicPicture } from './heic-files.ts';

const blue = { r: 20, g: 20, b: 200 };
const picture = () => sharp({ create: { width: 480, height: 320, channels: 3, background: blue } });
/** Blue at the left, nothing at the right. */
const halfEmpty = () =>
  picture()
    .ensureAlpha()
    .extend({ right: 160, background: { r: 0, g: 0, b: 0, alpha: 0 } });
const moving = ['-f', 'lavfi', '-i', 'testsrc=size=131x97:duration=2:rate=5'];

async function pixel(media: FetchedMedia, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(await readFile(media.path))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels)];
}

async function expectGone(world: ConversionWorld, media: FetchedMedia): Promise<void> {
  expect(world.failures).toEqual([]);
  expect(world.unreleased.size).toBe(0);
  expect(await world.files()).toHaveLength(1);
  await media.release();
  expect(await world.files()).toEqual([]);
}

describe('a picture that phones do not show becomes JPEG', () => {
  const cases: [string, (world: ConversionWorld) => Promise<Buffer>][] = [
    ['avif', () => picture().avif().toBuffer()],
    ['avif with the brand mif1', async () => withBrand(await picture().avif().toBuffer(), 'mif1')],
    ['tiff', () => picture().tiff().toBuffer()],
    ['tiff in CMYK', () => picture().toColourspace('cmyk').tiff().toBuffer()],
    ['tiff with a border of alpha that nothing shines through', () => picture().ensureAlpha().tiff({ compression: 'lzw' }).toBuffer()],
    ['gif', () => picture().gif().toBuffer()],
    ['bmp', (world) => made(world, 'picture.bmp', ['-f', 'lavfi', '-i', 'color=0x1414C8:size=480x320', '-frames:v', '1'])],
  ];
  test.each(cases)('%s [media.image-formats]', async (_, make) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await make(world), 'image');
      expect(media).toMatchObject({ mimeType: 'image/jpeg', facts: { width: 480, height: 320 } });
      expect(await sharp(media.path).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 320 });
      expect(await sharp(Buffer.from(media.facts?.thumbnail ?? [])).metadata()).toMatchObject({ format: 'jpeg', width: 96, height: 64 });
      const [red = 0, , shade = 0] = await pixel(media, 240, 160);
      expect(shade).toBeGreaterThan(red + 100);
      await expectGone(world, media);
    });
  });

  test.each([
    ['in one piece', {}],
    ['in tiles, as phones write it', { tiled: true }],
  ])('heic %s [media.image-formats]', async (_, options) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await heicPicture(world, options), 'image');
      expect(media).toMatchObject({ mimeType: 'image/jpeg', facts: { width: 128, height: 64 } });
      expect(await sharp(media.path).metadata()).toMatchObject({ format: 'jpeg', width: 128, height: 64 });
      expect((await pixel(media, 20, 32))[0]).toBeGreaterThan(200);
      expect((await pixel(media, 108, 32))[2]).toBeGreaterThan(200);
      await expectGone(world, media);
    });
  });

  test('heic that is turned [media.image-formats media.pixel-shape]', async () => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await heicPicture(world, { turns: 1, tiled: true }), 'image');
      expect(media).toMatchObject({ mimeType: 'image/jpeg', facts: { width: 64, height: 128 } });
      // To the left, so what was at the right is on top now.
      expect((await pixel(media, 32, 20))[2]).toBeGreaterThan(200);
      await expectGone(world, media);
    });
  });

  test('heic with its colours: phones have more of them than sRGB [media.image-formats]', async () => {
    await inConversionWorld(async (world) => {
      const wide = await picture().withIccProfile('p3').jpeg().toBuffer();
      const { icc } = await sharp(wide).metadata();
      const media = await world.prepare(await heicPicture(world, { profile: icc }), 'image');
      expect(media.mimeType).toBe('image/jpeg');
      expect((await sharp(media.path).metadata()).icc?.equals(icc ?? Buffer.alloc(0))).toBe(true);
      await expectGone(world, media);
    });
  });

  test('and an animated WebP, of its first frame [media.image-formats]', async () => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await made(world, 'moving.webp', [...moving, '-c:v', 'libwebp_anim', '-loop', '0']), 'image');
      expect(media).toMatchObject({ mimeType: 'image/jpeg', facts: { width: 131, height: 97 } });
      expect(await sharp(media.path).metadata()).toMatchObject({ format: 'jpeg', width: 131, height: 97 });
      await expectGone(world, media);
    });
  });
});

describe('a transparent one becomes PNG', () => {
  test.each([
    ['avif', () => halfEmpty().avif()],
    ['tiff', () => halfEmpty().tiff({ compression: 'lzw' })],
    ['gif', () => halfEmpty().gif()],
  ])('%s [media.image-formats]', async (_, make) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await make().toBuffer(), 'image');
      expect(media).toMatchObject({ mimeType: 'image/png', facts: { width: 640, height: 320 } });
      expect((await pixel(media, 240, 160))[3]).toBe(255);
      expect((await pixel(media, 600, 160))[3]).toBe(0);
      await expectGone(world, media);
    });
  });
});

describe('an animated GIF becomes a looping video', () => {
  test('in the format that phones play, without sound [media.looping]', async () => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await made(world, 'moving.gif', moving), 'image');
      expect(media).toMatchObject({ mimeType: 'video/mp4', facts: { width: 130, height: 96, durationSeconds: 2, looping: true } });
      expect(await sharp(Buffer.from(media.facts?.thumbnail ?? [])).metadata()).toMatchObject({ format: 'jpeg', width: 96 });
      const { streams, format } = await probe(media.path);
      expect(streams).toMatchObject([{ codec_name: 'h264', pix_fmt: 'yuv420p', nb_frames: '10' }]);
      expect(format.format_name).toContain('mp4');
      expect(Number(format.duration)).toBeCloseTo(2, 0);
      // The index is at the front, so that it plays while it is being loaded.
      const file = await readFile(media.path);
      expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'));
      await expectGone(world, media);
    });
  });

  test('on white, however small, with its pauses [media.looping]', async () => {
    await inConversionWorld(async (world) => {
      const clear = { r: 0, g: 0, b: 0, alpha: 0 };
      const frames = [clear, { r: 255, g: 0, b: 0 }, clear].map(
        (background) => ({ create: { width: 1, height: 1, channels: 4, background } }) as const,
      );
      const images = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
      const gif = await sharp(images, { join: { animated: true } })
        .gif({ delay: [100, 2000, 100] })
        .toBuffer();
      const media = await world.prepare(gif, 'image');
      expect(media).toMatchObject({ mimeType: 'video/mp4', facts: { width: 2, height: 2, durationSeconds: 2, looping: true } });
      const { path } = await world.fetched(await made(world, 'frame.png', ['-i', media.path, '-frames:v', '1']), 'image');
      const { channels } = await sharp(path).stats();
      expect(channels[0]?.min).toBeGreaterThan(250);
      await media.release();
    });
  });

  test('or stays as it is when it is broken', async () => {
    await inConversionWorld(async (world) => {
      const bytes = (await made(world, 'moving.gif', moving)).subarray(0, 300);
      await expectOriginal(world, await world.prepare(bytes, 'image'), bytes);
    });
  });
});

describe('stickers are made of every picture that images are', () => {
  const cases: [string, (world: ConversionWorld) => Promise<Buffer>][] = [
    ['tiff', () => picture().tiff().toBuffer()],
    ['heic', (world) => heicPicture(world)],
    ['bmp', (world) => made(world, 'picture.bmp', ['-f', 'lavfi', '-i', 'color=blue:size=64x32', '-frames:v', '1'])],
  ];
  test.each(cases)('%s [media.converted]', async (_, make) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await make(world), 'sticker');
      expect(media).toMatchObject({ mimeType: 'image/webp', facts: { width: 512, height: 512, animated: false } });
      expect(await sharp(media.path).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
      await expectGone(world, media);
    });
  });
});

/** The file with another major brand. */
function withBrand(file: Buffer, brand: string): Buffer {
  return Buffer.concat([file.subarray(0, 8), Buffer.from(brand), file.subarray(12)]);
}
