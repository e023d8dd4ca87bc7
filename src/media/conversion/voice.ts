import type { MediaFacts } from '../../networks/index.ts';
import { asFetched, type Conversion, ConversionFailure, type Means, type Source } from './conversion.ts';
import { isMonoOpus } from './mono-opus.ts';
import { openingArguments, type Reader, runTool, savedOutput } from './run-tool.ts';
import { SoundMeter } from './waveform.ts';

const mimeType = 'audio/ogg; codecs=opus';
const meterRate = 8_000;

/** One channel of speech. Without metadata, and with the same bytes for the same sound, so that a network knows that it has the file already. */
const voiceNote = [
  ...['-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '-1', '-ac', '1', '-ar', '48000'],
  ...['-c:a', 'libopus', '-b:a', '32k', '-application', 'voip', '-compression_level', '5', '-threads', '1'],
  ...['-flags', '+bitexact', '-fflags', '+bitexact', '-f', 'ogg'],
];
const plainSamples = ['-map', '0:a:0', '-ac', '1', '-ar', String(meterRate), '-threads', '1', '-f', 's16le'];

/**
 * Sound as a voice note: mono Ogg/Opus with duration and waveform. A file that is one already stays as it is; what is stereo, or several
 * recordings behind each other, some phones play without a sound or only in part.
 * Throws ConversionFailure when there is no sound to be found in it.
 */
export async function convertVoice(source: Source, means: Means): Promise<Conversion> {
  if (source.found?.includes('ogg') && (await isMonoOpus(source.path)))
    return { ...asFetched, mimeType, facts: await measure(source, means.signal) };
  const meter = new SoundMeter();
  const saved = savedOutput(means);
  try {
    await runTool({
      tool: 'ffmpeg',
      args: ['-nostdin', ...openingArguments(source.path), ...voiceNote, 'pipe:1', ...plainSamples, 'pipe:3'],
      outputs: [saved.read, metering(meter)],
      signal: means.signal,
    });
    return { file: saved.file(), mimeType, facts: factsOf(meter) };
  } catch (error) {
    await saved.remove();
    throw error;
  }
}

/** Duration and waveform of a voice note, or nothing when it cannot be decoded: it is delivered all the same. */
async function measure(source: Source, signal: AbortSignal): Promise<MediaFacts | null> {
  const meter = new SoundMeter();
  const args = ['-nostdin', ...openingArguments(source.path), ...plainSamples, 'pipe:1'];
  try {
    await runTool({ tool: 'ffmpeg', args, outputs: [metering(meter)], signal });
    return factsOf(meter);
  } catch (error) {
    if (error instanceof ConversionFailure && error.lasting) return null;
    throw error;
  }
}

function metering(meter: SoundMeter): Reader {
  return async (output) => {
    for await (const chunk of output) meter.add(chunk);
  };
}

function factsOf(meter: SoundMeter): MediaFacts {
  if (meter.samples === 0) throw new ConversionFailure('there is no sound in it', true);
  return { durationSeconds: Math.max(1, Math.round(meter.samples / meterRate)), waveform: meter.waveform() };
}
