import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { expectOriginal, inConversionWorld, made } from './conversion-world.ts';

const red = { r: 200, g: 20, b: 20 };
const wide = () => sharp({ create: { width: 300, height: 150, channels: 3, background: red } });
const moving = (size: string) => ['-f', 'lavfi', '-i', `testsrc=size=${size}:duration=1:rate=8`];

describe('a picture sent as sticker becomes WebP of 512×512 with the whole picture in it', () => {
  test.each([
    ['png', () => wide().png()],
    ['jpeg', () => wide().jpeg()],
    ['gif', () => wide().gif()],
    ['webp', () => wide().webp()],
    ['avif', () => wide().avif()],
  ])('%s', async (_, picture) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await picture().toBuffer(), 'sticker');
      expect(world.failures).toEqual([]);
      expect(media).toMatchObject({ mimeType: 'image/webp', facts: { width: 512, height: 512, animated: false } });
      const { data, info } = await sharp(await readFile(media.path))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: 512, height: 512, channels: 4 });
      const pixel = (x: number, y: number) => [...data.subarray((y * 512 + x) * 4, (y * 512 + x) * 4 + 4)];
      expect(pixel(256, 10)[3]).toBe(0);
      expect(pixel(256, 500)[3]).toBe(0);
      expect(pixel(5, 256)[3]).toBe(255);
      for (const [index, value] of [red.r, red.g, red.b].entries())
        expect(Math.abs((pixel(256, 256)[index] ?? 0) - value)).toBeLessThan(10);
      await media.release();
      expect(world.unreleased.size).toBe(0);
      expect(await world.files()).toEqual([]);
    });
  });

  test('turned as its EXIF data says', async () => {
    await inConversionWorld(async (world) => {
      const lying = await wide().jpeg().withMetadata({ orientation: 6 }).toBuffer();
      const media = await world.prepare(lying, 'sticker');
      const { data } = await sharp(await readFile(media.path))
        .raw()
        .toBuffer({ resolveWithObject: true });
      // Upright, so there is nothing at its sides.
      expect(data[(256 * 512 + 5) * 4 + 3]).toBe(0);
      expect(data[(5 * 512 + 256) * 4 + 3]).toBe(255);
      await media.release();
    });
  });

  test('small enough for a sticker, even of noise', async () => {
    await inConversionWorld(async (world) => {
      const noise = await sharp({
        create: { width: 800, height: 800, channels: 3, background: red, noise: { type: 'gaussian', mean: 128, sigma: 60 } },
      })
        .png()
        .toBuffer();
      const media = await world.prepare(noise, 'sticker');
      expect(media.size).toBeLessThan(150 * 1024);
      await media.release();
    });
  });
});

describe('an animation stays an animation', () => {
  test.each([
    ['cat.gif', moving('300x200')],
    ['cat.webp', [...moving('300x200'), '-c:v', 'libwebp_anim', '-loop', '0']],
  ])('%s', async (name, args) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await made(world, name, args), 'sticker');
      expect(world.failures).toEqual([]);
      expect(media).toMatchObject({ mimeType: 'image/webp', facts: { width: 512, height: 512, animated: true } });
      const sticker = await sharp(await readFile(media.path), { animated: true }).metadata();
      expect(sticker).toMatchObject({ format: 'webp', width: 512, pageHeight: 512, pages: 8 });
      const duration = sticker.delay?.reduce((sum, delay) => sum + delay, 0);
      expect(duration).toBeGreaterThan(900);
      expect(duration).toBeLessThan(1100);
      await media.release();
      expect(await world.files()).toEqual([]);
    });
  });
});

describe('what is a sticker already stays byte for byte', () => {
  test('still', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await wide().resize(512, 512).webp().toBuffer();
      const media = await world.prepare(bytes, 'sticker');
      expect((await readFile(media.path)).equals(bytes)).toBe(true);
      expect(media).toMatchObject({ mimeType: 'image/webp', facts: { width: 512, height: 512, animated: false } });
      await media.release();
      expect(world.unreleased.size).toBe(0);
    });
  });

  test('animated', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'cat.webp', [...moving('512x512'), '-c:v', 'libwebp_anim', '-loop', '0']);
      const media = await world.prepare(bytes, 'sticker');
      expect((await readFile(media.path)).equals(bytes)).toBe(true);
      expect(media).toMatchObject({ mimeType: 'image/webp', facts: { animated: true } });
      await media.release();
    });
  });
});

describe('what is no picture is sent as it is', () => {
  test.each([
    ['text', Buffer.from('no picture')],
    ['the name of a format and nothing else', Buffer.from('GIF89a')],
    ['a vector graphic', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>')],
  ])('%s', async (_, bytes) => {
    await inConversionWorld(async (world) => {
      await expectOriginal(world, await world.prepare(bytes, 'sticker'), bytes);
      expect(world.warnings).toEqual([]);
    });
  });

  test('a film', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'film.mp4', moving('64x64'));
      await expectOriginal(world, await world.prepare(bytes, 'sticker'), bytes);
    });
  });
});
