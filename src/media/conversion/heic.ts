import { readFile } from 'node:fs/promises';

/** Pixels row by row. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** RGB, or RGB with alpha. */
  readonly channels: 3 | 4;
}

/**
 * Runs `use` with the pixels of a HEIC picture, upright. They are in the decoder's own memory, since a copy of a phone's picture would be
 * 70 MB, and are gone afterwards. Throws when the picture cannot be read or has more than `maxPixels`.
 */
export async function withHeicPixels<T>(path: string, maxPixels: number, use: (pixels: Pixels) => Promise<T>): Promise<T> {
  // Loaded for the first such picture: it takes 2 MiB and a while.
  const { default: heif } = await import('libheif-js/wasm-bundle.js');
  const context = heif.heif_context_alloc();
  try {
    const { code } = heif.heif_context_read_from_memory(context, await readFile(path));
    if (code !== heif.heif_error_code.heif_error_Ok) throw new Error('it cannot be read');
    const handle = heif.heif_js_context_get_primary_image_handle(context);
    if ('code' in handle) throw new Error('there is no picture in it');
    try {
      if (heif.heif_image_handle_get_width(handle) * heif.heif_image_handle_get_height(handle) > maxPixels)
        throw new Error('it has too many pixels');
      const channels = heif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
      const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = heif.heif_chroma;
      const decoded = heif.heif_js_decode_image2(handle, heif.heif_colorspace.heif_colorspace_RGB, channels === 4 ? rgba : rgb);
      if ('code' in decoded) throw new Error('it cannot be decoded');
      try {
        const [plane] = decoded.channels;
        if (plane === undefined) throw new Error('there are no pixels in it');
        const { width, height } = plane;
        return await use({ data: rows(plane, width * channels), width, height, channels });
      } finally {
        heif.heif_image_release(decoded.image);
      }
    } finally {
      heif.heif_image_handle_release(handle);
    }
  } finally {
    heif.heif_context_free(context);
  }
}

/** The rows without what is between them. */
function rows({ data, height, stride }: { readonly data: Uint8Array; readonly height: number; readonly stride: number }, bytes: number) {
  if (stride === bytes) return data.subarray(0, bytes * height);
  const tight = new Uint8Array(bytes * height);
  for (let row = 0; row < height; row++) tight.set(data.subarray(row * stride, row * stride + bytes), row * bytes);
  return tight;
}
