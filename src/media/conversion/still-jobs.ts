import { stat } from 'node:fs/promises';
import type sharp from 'sharp';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { thumbnailPixels } from './thumbnail.ts';

/** What is asked of the process that reads still pictures. */
export interface StillRequest {
  readonly job: 'describe' | 'sticker' | 'logo';
  readonly path: string;
}

export interface StillDescription {
  /** Pixels, as shown. */
  readonly width: number;
  readonly height: number;
  /** JPEG. */
  readonly thumbnail: Uint8Array;
}

export interface StillSticker {
  /** WebP; null: the picture is a sticker already. */
  readonly webp: Uint8Array | null;
  readonly animated: boolean;
}

type Library = typeof sharp;

const logoPixels = 512;
/** A picture with more is no logo. */
const mostLogoPixels = 16_000_000;
const logoBytes = 256 * 1024;

/** All frames of an animation together. */
const maxPixels = 50_000_000;
const secondsPerStep = 15;
const stickerPixels = 512;
/** What WhatsApp takes for a sticker; a larger file may be shown late or not at all. */
const stillStickerBytes = 100 * 1024;
const animatedStickerBytes = 500 * 1024;
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
const white = { r: 255, g: 255, b: 255 };

/** Loaders of single raster pictures. All others (vector graphics, documents, whatever opens a second file) are blocked. */
const loaders = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif', 'VipsForeignLoadHeif'];

/** Sets the library up for pictures from strangers: one at a time, nothing kept. */
export function restrict(library: Library): void {
  library.block({ operation: ['VipsForeignLoad'] });
  library.unblock({ operation: loaders });
  library.concurrency(1);
  library.cache(false);
}

/** Size and thumbnail of a picture, for an animation of its first frame. */
export async function describeStill(library: Library, path: string): Promise<StillDescription> {
  const picture = open(library, path);
  const { autoOrient } = await picture.metadata();
  const thumbnail = await picture
    .autoOrient()
    .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: white })
    .jpeg({ quality: 60 })
    .toBuffer();
  return { width: autoOrient.width, height: autoOrient.height, thumbnail };
}

/** A picture as sticker: 512×512 WebP with the whole picture in it, moving when the picture moves. */
export async function makeSticker(library: Library, path: string): Promise<StillSticker> {
  const picture = await open(library, path).metadata();
  const { format, pages = 1 } = picture;
  // In other formats the further pictures are not its next frames.
  const animated = pages > 1 && (format === 'gif' || format === 'webp');
  const limit = animated ? animatedStickerBytes : stillStickerBytes;
  const { size } = await stat(path);
  const fits = isStickerSized(picture);
  if (fits && size <= limit) return { webp: null, animated };
  if (animated && pages * stickerPixels * stickerPixels > maxPixels) throw new Error('too many frames');
  const webp = await encode(() => fitted(open(library, path, { animated })), animated, limit);
  return { webp: fits && size <= webp.length ? null : webp, animated };
}

/** A picture as logo: a PNG of at most 512×512 pixels, without anything that was beside its pixels. */
export async function makeLogo(library: Library, path: string): Promise<Uint8Array> {
  for (const pixels of [logoPixels, logoPixels / 2, logoPixels / 4]) {
    const png = await open(library, path, { limitInputPixels: mostLogoPixels })
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
  return picture.autoOrient().resize(stickerPixels, stickerPixels, { fit: 'contain', background: transparent });
}

/** The best of a few qualities that stays within the limit, or the smallest. */
async function encode(picture: () => Sharp, animated: boolean, limit: number): Promise<Uint8Array> {
  const qualities = [80, 50];
  for (const quality of qualities) {
    const webp = await picture()
      .webp({ quality, effort: animated ? 2 : 4 })
      .toBuffer();
    if (webp.length <= limit) return webp;
  }
  return picture()
    .webp({ quality: 20, effort: animated ? 2 : 4 })
    .toBuffer();
}

function open(library: Library, path: string, options: SharpOptions = {}): Sharp {
  return library(path, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error', ...options }).timeout({
    seconds: secondsPerStep,
  });
}
