import { createReadStream } from 'node:fs';
import type { MediaFacts } from '../../networks/index.ts';
import type { Conversion, Means, Source } from './conversion.ts';
import { collect, openingArguments, runTool } from './run-tool.ts';
import { saveMade } from './saved-output.ts';
import { probeVideo } from './video.ts';

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
export async function gifVideo(source: Source, { thumbnail }: MediaFacts, means: Means): Promise<Conversion> {
  const { files, maxBytes, signal } = means;
  // The format has its index at the front, so it cannot be written into a pipe.
  const { path, handle } = await files.create();
  try {
    await handle.close();
    const args = ['-nostdin', ...openingArguments(source.path, 'gif'), ...looping, '-fs', String(maxBytes), '-y', `file:${path}`];
    await runTool({ tool: 'ffmpeg', args, outputs: [collect(0).read], signal });
    const { width, height, durationSeconds = 1 } = await probeVideo(path, signal);
    const facts = { width, height, durationSeconds: Math.max(1, Math.round(durationSeconds)), looping: true };
    const file = await saveMade(means, createReadStream(path));
    return { file, mimeType: 'video/mp4', facts: thumbnail === undefined ? facts : { ...facts, thumbnail } };
  } finally {
    await files.remove(path);
  }
}
