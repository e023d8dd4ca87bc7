import { saveFile } from '../save-file.ts';
import type { TemporaryFiles } from '../temporary-files.ts';
import { asFetched, type Conversion, type Source } from './conversion.ts';
import type { StillReader } from './still-reader.ts';

/** An image as it is, with its size as shown and a thumbnail. Throws ConversionFailure. */
export async function describeImage({ path }: Source, stills: StillReader, signal: AbortSignal): Promise<Conversion> {
  const { width, height, thumbnail } = await stills.describe(path, signal);
  return { ...asFetched, facts: { width, height, thumbnail } };
}

/** A picture as sticker of 512×512 pixels; one that is a sticker already stays as it is. Throws ConversionFailure. */
export async function convertSticker(
  { path }: Source,
  { stills, files, signal }: { stills: StillReader; files: TemporaryFiles; signal: AbortSignal },
): Promise<Conversion> {
  const { webp, animated } = await stills.sticker(path, signal);
  const file = webp === null ? null : await saveFile(files, once(webp));
  return { file, mimeType: 'image/webp', facts: { width: 512, height: 512, animated } };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
