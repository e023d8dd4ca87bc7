import { z } from 'zod';
import { asFetched, type Conversion, ConversionFailure, type Source, thumbnailPixels } from './conversion.ts';
import { collect, openingArguments, runTool } from './run-tool.ts';

const maxProbeBytes = 64 * 1024;
const maxThumbnailBytes = 16 * 1024;
const maxSide = 65_535;

const probed = z.object({
  streams: z.tuple([
    z.object({
      width: z.int().min(1).max(maxSide),
      height: z.int().min(1).max(maxSide),
      sample_aspect_ratio: z.string().optional(),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
    }),
  ]),
  format: z.object({ duration: z.coerce.number().positive().max(1_000_000).optional() }).optional(),
});

/** Pixels, as shown. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** A video as it is, with its size as shown, its duration and a thumbnail. Throws ConversionFailure when there is no picture to be found in it. */
export async function describeVideo(source: Source, signal: AbortSignal): Promise<Conversion> {
  const { width, height, durationSeconds } = await probeVideo(source.path, signal);
  // Many videos begin with a black frame.
  const starts = durationSeconds !== undefined && durationSeconds > 2 ? [1, 0] : [0];
  const facts = { width, height, ...(durationSeconds === undefined ? {} : { durationSeconds: Math.max(1, Math.round(durationSeconds)) }) };
  for (const start of starts) {
    const thumbnail = await thumbnailAt(start, source, { width, height }, signal);
    if (thumbnail !== null) return { ...asFetched, facts: { ...facts, thumbnail } };
  }
  return { ...asFetched, facts };
}

/** The size of a video as it is shown, and its duration in seconds. Throws ConversionFailure when there is no picture in it. */
export async function probeVideo(path: string, signal: AbortSignal): Promise<Size & { readonly durationSeconds: number | undefined }> {
  const json = collect(maxProbeBytes);
  const wanted = 'stream=width,height,sample_aspect_ratio:stream_side_data=rotation:format=duration';
  const args = [...openingArguments(path), '-select_streams', 'V:0', '-show_entries', wanted, '-of', 'json'];
  await runTool({ tool: 'ffprobe', args, outputs: [json.read], signal });
  const { data } = probed.safeParse(JSON.parse(json.bytes().toString()));
  if (data === undefined) throw new ConversionFailure('there is no picture in it', true);
  const [{ width: pixels, height, sample_aspect_ratio: aspect, side_data_list: sideData }] = data.streams;
  const width = Math.min(maxSide, Math.max(1, Math.round(pixels * pixelShape(aspect))));
  const turned = sideData?.some(({ rotation = 0 }) => Math.abs(Math.round(rotation)) % 180 === 90) ?? false;
  return { width: turned ? height : width, height: turned ? width : height, durationSeconds: data.format?.duration };
}

/** How much wider than high the pixels are; 1 when that is unknown. */
function pixelShape(aspect: string | undefined): number {
  const [, wide, high] = /^(\d+):(\d+)$/.exec(aspect ?? '') ?? [];
  const shape = Number(wide) / Number(high);
  return shape > 0 && Number.isFinite(shape) ? shape : 1;
}

/** One frame as JPEG, in the shape and turned as it is shown; null when there is none at that time or it cannot be decoded. */
async function thumbnailAt(second: number, source: Source, { width, height }: Size, signal: AbortSignal): Promise<Uint8Array | null> {
  const jpeg = collect(maxThumbnailBytes);
  const shrink = thumbnailPixels / Math.max(width, height, thumbnailPixels);
  const [x, y] = [width, height].map((side) => Math.max(2, 2 * Math.round((side * shrink) / 2)));
  const scale = `scale=${x}:${y},setsar=1`;
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
