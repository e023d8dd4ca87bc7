import { createReadStream } from 'node:fs';
import type { MediaFacts } from '../../networks/index.ts';
import { asFetched, type Conversion, type Means, type Source } from './conversion.ts';
import { collect, openingArguments, runTool, savedOutput, saveMade } from './run-tool.ts';
import type { Picture } from './still-opening.ts';
import type { StillReader } from './still-reader.ts';
import { probeVideo } from './video.ts';

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
    return { file: await saveMade(means, [instead.bytes]), mimeType: instead.mimeType, facts };
  });
}

/** A picture as sticker of 512×512 pixels; one that is a sticker already stays as it is. Throws ConversionFailure. */
export function convertSticker(source: Source, means: StillMeans): Promise<Conversion> {
  return readable(source, means, async (picture) => {
    const { webp, animated } = await means.stills.sticker(picture, means.signal);
    const file = webp === null ? null : await saveMade(means, [webp]);
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
    return await use({ path: png.file().path, found });
  } finally {
    await png.remove();
  }
}

/** On white, as the picture's thumbnail; with sides of an even number of pixels, which the format demands. */
const flattened = [
  'format=rgba,split[below][above]',
  '[below]lutrgb=r=255:g=255:b=255:a=255[white]',
  '[white][above]overlay=format=rgb,scale=max(2\\,trunc(iw/2)*2):max(2\\,trunc(ih/2)*2),format=yuv420p',
].join(';');
const looping = [
  ...['-vf', flattened, '-fps_mode', 'vfr', '-an', '-map_metadata', '-1', '-c:v', 'libx264', '-profile:v', 'main'],
  ...['-preset', 'veryfast', '-crf', '23', '-threads', '1', '-flags', '+bitexact', '-fflags', '+bitexact'],
  ...['-movflags', '+faststart', '-f', 'mp4'],
];

/** An animated GIF as the short video without sound that WhatsApp's own clients make of it and play in a loop. Throws ConversionFailure. */
async function gifVideo(source: Source, { thumbnail }: MediaFacts, means: Means): Promise<Conversion> {
  const { files, maxBytes, signal } = means;
  // The format has its index at the front, so it cannot be written into a pipe.
  const { path, handle } = await files.create();
  try {
    await handle.close();
    const args = ['-nostdin', ...openingArguments(source.path, 'gif'), ...looping, '-fs', String(maxBytes), '-y', `file:${path}`];
    await runTool({ tool: 'ffmpeg', args, outputs: [collect(0).read], signal });
    const { width, height, durationSeconds = 1 } = await probeVideo(path, signal);
    const facts = { width, height, durationSeconds: Math.max(1, Math.round(durationSeconds)), looping: true };
    const file = await saveMade(means, contentOf(path));
    return { file, mimeType: 'video/mp4', facts: thumbnail === undefined ? facts : { ...facts, thumbnail } };
  } finally {
    await files.remove(path);
  }
}

/** Opens the file when it is read: an error of a stream that nobody reads yet would end the process. */
async function* contentOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}
