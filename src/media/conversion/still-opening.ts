import type sharp from 'sharp';
import type { Sharp, SharpOptions } from 'sharp';
import { withHeicPixels } from './heic.ts';

export interface Picture {
  readonly path: string;
  /** The media type of its bytes. */
  readonly found: string | null;
}

/** Whether it is, or may be, coded as phones code their photos, which needs a decoder of its own. */
export function isHeic({ found }: Picture): boolean {
  return found === 'image/heic' || found === 'image/heif';
}

export type Library = typeof sharp;

export interface Opened {
  /** Opens the picture, as often as it is called. */
  readonly open: (options?: SharpOptions) => Sharp;
  /** What the numbers of its colours mean (ICC), where the library does not see to that itself. */
  readonly profile: Uint8Array | null;
}

/** All frames of an animation together. */
export const maxPixels = 50_000_000;

/** Loaders of single raster pictures. All others (vector graphics, documents, whatever opens a second file) are blocked. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`);

/** Sets the library up for pictures from strangers: one at a time, nothing kept. */
export function restrict(library: Library): void {
  library.block({ operation: ['VipsForeignLoad'] });
  library.unblock({ operation: loaders });
  library.concurrency(1);
  library.cache(false);
}

/** Runs `use` with a picture in any format that is read; HEIC, which the library lacks, is decoded first. */
export async function withOpened<T>(library: Library, picture: Picture, use: (opened: Opened) => Promise<T>): Promise<T> {
  const { path } = picture;
  if (!isHeic(picture)) return use({ open: (options) => openFile(library, path, options), profile: null });
  // What is beside its pixels the library can read.
  const { icc } = await openFile(library, path).metadata();
  return withHeicPixels(path, maxPixels, ({ data, ...raw }) =>
    use({ open: () => library(data, { raw, limitInputPixels: maxPixels }), profile: icc ?? null }),
  );
}

export function openFile(library: Library, path: string, options: SharpOptions = {}): Sharp {
  return library(path, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error', ...options });
}
