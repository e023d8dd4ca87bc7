import { stat } from 'node:fs/promises';
import type { Metadata, Sharp } from 'sharp';
import { thumbnailPixels } from './conversion.ts';
import { type Library, maxPixels, type Opened, openFile, type Picture, withOpened } from './still-opening.ts';

/** What is asked of the process that reads still pictures. */
export interface StillRequest {
  readonly job: 'image' | 'sticker' | 'logo';
  readonly picture: Picture;
}

export interface StillImage {
  /** Pixels, as shown. */
  readonly width: number;
  readonly height: number;
  /** JPEG. */
  readonly thumbnail: Uint8Array;
  /** It is an animated GIF, which is to be sent as a video. */
  readonly moving: boolean;
  /** The same picture in a format that phones show; null: it is in one. */
  readonly instead: { readonly bytes: Uint8Array; readonly mimeType: string } | null;
}

export interface StillSticker {
  /** WebP; null: the picture is a sticker already. */
  readonly webp: Uint8Array | null;
  readonly animated: boolean;
}

const logoPixels = 512;
/** A picture with more is no logo. */
const mostLogoPixels = 16_000_000;
const logoBytes = 256 * 1024;

const stickerPixels = 512;
/** What WhatsApp takes for a sticker; a larger file may be shown late or not at all. */
const stillStickerBytes = 100 * 1024;
const animatedStickerBytes = 500 * 1024;
const clear = { r: 0, g: 0, b: 0, alpha: 0 };
const white = { r: 255, g: 255, b: 255 };

/** Size and thumbnail of a picture, and the picture as JPEG or PNG if phones would not show it. Of an animation the first frame. */
export function readImage(library: Library, picture: Picture): Promise<StillImage> {
  return withOpened(library, picture, (opened) => imageOf(opened, picture));
}

async function imageOf({ open, profile }: Opened, { found }: Picture): Promise<StillImage> {
  const { autoOrient, format, pages = 1, hasAlpha } = await open().metadata();
  const thumbnail = await open()
    .autoOrient()
    .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: white })
    .jpeg({ quality: 60 })
    .toBuffer();
  const seen = { width: autoOrient.width, height: autoOrient.height, thumbnail };
  const moving = format === 'gif' && pages > 1;
  const shown = format === 'jpeg' || format === 'png' || (format === 'webp' && pages === 1);
  if (moving || (shown && found === `image/${format}`)) return { ...seen, moving, instead: null };
  const upright = open().autoOrient().toColourspace('srgb');
  // What nothing shines through is a fraction of the size as JPEG.
  const transparent = hasAlpha && !(await open().stats()).isOpaque;
  const instead = transparent
    ? { bytes: await upright.png({ compressionLevel: 9 }).toBuffer(), mimeType: 'image/png' }
    : { bytes: withProfile(await upright.removeAlpha().jpeg({ quality: 90 }).toBuffer(), profile), mimeType: 'image/jpeg' };
  return { ...seen, moving, instead };
}

/** A JPEG with its colour profile (ICC.1, Annex B.4), if that fits into one segment, as those of phones do. */
function withProfile(jpeg: Buffer, profile: Uint8Array | null): Buffer {
  const length = (profile?.length ?? 0) + 16;
  if (profile === null || length > 0xffff) return jpeg;
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1');
  head.writeUInt16BE(length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)]);
}

/** A picture as sticker: 512×512 WebP with the whole picture in it, moving when the picture moves. */
export function makeSticker(library: Library, picture: Picture): Promise<StillSticker> {
  return withOpened(library, picture, (opened) => stickerOf(opened, picture));
}

async function stickerOf({ open }: Opened, { path }: Picture): Promise<StillSticker> {
  const picture = await open().metadata();
  const { format, pages = 1 } = picture;
  // In other formats the further pictures are not its next frames.
  const animated = pages > 1 && (format === 'gif' || format === 'webp');
  const limit = animated ? animatedStickerBytes : stillStickerBytes;
  const { size } = await stat(path);
  const fits = isStickerSized(picture);
  if (fits && size <= limit) return { webp: null, animated };
  if (animated && pages * stickerPixels * stickerPixels > maxPixels) throw new Error('too many frames');
  const webp = await encode(() => fitted(open({ animated })), animated, limit);
  return { webp: fits && size <= webp.length ? null : webp, animated };
}

/** A picture as logo: a PNG of at most 512×512 pixels, without anything that was beside its pixels. */
export async function makeLogo(library: Library, { path }: Picture): Promise<Uint8Array> {
  for (const pixels of [logoPixels, logoPixels / 2, logoPixels / 4]) {
    const png = await openFile(library, path, { limitInputPixels: mostLogoPixels })
      .autoOrient()
      .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer();
    if (png.length <= logoBytes) return png;
  }
  throw new Error('the logo is too large');
}

function isStickerSized({ format, width, height, orientation = 1 }: Metadata): boolean {
  return format === 'webp' && width === stickerPixels && height === stickerPixels && orientation === 1;
}

function fitted(picture: Sharp): Sharp {
  return picture.autoOrient().resize(stickerPixels, stickerPixels, { fit: 'contain', background: clear });
}

/** The best of a few qualities that stays within the limit, or the smallest. */
async function encode(picture: () => Sharp, animated: boolean, limit: number): Promise<Uint8Array> {
  const at = (quality: number) =>
    picture()
      .webp({ quality, effort: animated ? 2 : 4 })
      .toBuffer();
  for (const quality of [80, 50]) {
    const webp = await at(quality);
    if (webp.length <= limit) return webp;
  }
  return at(20);
}
