import { z } from 'zod';
import { asFetched, type Conversion, ConversionFailure, type Source } from './conversion.ts';
import { collect, openingArguments, runTool } from './run-tool.ts';
import { thumbnailPixels } from './thumbnail.ts';

const maxProbeBytes = 64 * 1024;
const maxThumbnailBytes = 16 * 1024;
const maxSide = 65_535;

const probed = z.object({
  streams: z.tuple([
    z.object({
      width: z.int().min(1).max(maxSide),
      height: z.int().min(1).max(maxSide),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
    }),
  ]),
  format: z.object({ duration: z.coerce.number().positive().max(1_000_000).optional() }).optional(),
});

/** A video as it is, with its size as shown, its duration and a thumbnail. Throws ConversionFailure when there is no picture to be found in it. */
export async function describeVideo(source: Source, signal: AbortSignal): Promise<Conversion> {
  const { width, height, durationSeconds } = await probe(source, signal);
  // Many videos begin with a black frame.
  const starts = durationSeconds !== undefined && durationSeconds > 2 ? [1, 0] : [0];
  const size = { width, height, ...(durationSeconds === undefined ? {} : { durationSeconds: Math.max(1, Math.round(durationSeconds)) }) };
  for (const start of starts) {
    const thumbnail = await thumbnailAt(start, source, signal);
    if (thumbnail !== null) return { ...asFetched, facts: { ...size, thumbnail } };
  }
  return { ...asFetched, facts: size };
}

async function probe(source: Source, signal: AbortSignal) {
  const json = collect(maxProbeBytes);
  const wanted = 'stream=width,height:stream_side_data=rotation:format=duration';
  const args = [...openingArguments(source.path), '-select_streams', 'V:0', '-show_entries', wanted, '-of', 'json'];
  await runTool({ tool: 'ffprobe', args, outputs: [json.read], signal });
  const { data } = probed.safeParse(JSON.parse(json.bytes().toString()));
  if (data === undefined) throw new ConversionFailure('there is no picture in it', true);
  const [{ width, height, side_data_list: sideData }] = data.streams;
  const turned = sideData?.some(({ rotation = 0 }) => Math.abs(Math.round(rotation)) % 180 === 90) ?? false;
  return { width: turned ? height : width, height: turned ? width : height, durationSeconds: data.format?.duration };
}

/** One frame as JPEG, already turned as it is shown; null when there is none at that time or it cannot be decoded. */
async function thumbnailAt(second: number, source: Source, signal: AbortSignal): Promise<Uint8Array | null> {
  const jpeg = collect(maxThumbnailBytes);
  const scale = `scale=${thumbnailPixels}:${thumbnailPixels}:force_original_aspect_ratio=decrease:force_divisible_by=2`;
  const args = [
    ...['-nostdin', '-ss', String(second), '-noaccurate_seek', ...openingArguments(source.path), '-map', '0:V:0', '-frames:v', '1'],
    ...['-vf', scale, '-threads', '1', '-pix_fmt', 'yuvj420p', '-q:v', '5', '-map_metadata', '-1', '-f', 'mjpeg', 'pipe:1'],
  ];
  try {
    await runTool({ tool: 'ffmpeg', args, outputs: [jpeg.read], signal });
  } catch (error) {
    if (error instanceof ConversionFailure && error.lasting) return null;
    throw error;
  }
  const bytes = jpeg.bytes();
  return bytes.length === 0 ? null : bytes;
}
