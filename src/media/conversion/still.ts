import { asFetched, type Conversion, type Means, type Source } from './conversion.ts';
import { gifVideo } from './gif-video.ts';
import type { Picture } from './picture.ts';
import { openingArguments, runTool } from './run-tool.ts';
import { savedOutput, saveMade } from './saved-output.ts';
import type { StillReader } from './still-reader.ts';

interface StillMeans extends Means {
  readonly stills: StillReader;
}

/**
 * An image with its size as shown and a thumbnail. What phones do not show becomes JPEG or PNG, an animated GIF a video; all else stays as it is.
 * Throws ConversionFailure.
 */
export function convertImage(source: Source, means: StillMeans): Promise<Conversion> {
  return readable(source, means, async (picture) => {
    const { moving, instead, ...facts } = await means.stills.image(picture, means.signal);
    if (moving) return gifVideo(source, facts, means);
    if (instead === null) return { ...asFetched, facts };
    return { file: await saveMade(means, once(instead.bytes)), mimeType: instead.mimeType, facts };
  });
}

/** A picture as sticker of 512×512 pixels; one that is a sticker already stays as it is. Throws ConversionFailure. */
export function convertSticker(source: Source, means: StillMeans): Promise<Conversion> {
  return readable(source, means, async (picture) => {
    const { webp, animated } = await means.stills.sticker(picture, means.signal);
    const file = webp === null ? null : await saveMade(means, once(webp));
    return { file, mimeType: 'image/webp', facts: { width: 512, height: 512, animated } };
  });
}

/** Runs `use` with a picture in a format that the reader of stills knows: of a BMP, a copy as PNG. */
async function readable<T>({ path, found }: Source, means: Means, use: (picture: Picture) => Promise<T>): Promise<T> {
  if (found !== 'image/bmp') return use({ path, found });
  const png = savedOutput(means);
  try {
    const args = ['-nostdin', ...openingArguments(path, 'bmp_pipe'), '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'];
    await runTool({ tool: 'ffmpeg', args, outputs: [png.read], signal: means.signal });
    return await use({ path: png.file()?.path ?? path, found });
  } finally {
    await png.remove();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
