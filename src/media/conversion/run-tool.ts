import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { startLimited } from '../../core/index.ts';
import type { SavedFile } from '../temporary-files.ts';
import { ConversionFailure, type Means, ToolMissing } from './conversion.ts';

/** Reads one output of a tool to its end. When it throws, the tool is stopped and the run fails with its error. */
export type Reader = (output: AsyncIterable<Buffer>) => Promise<void>;

interface Run {
  readonly tool: 'ffmpeg' | 'ffprobe';
  readonly args: readonly string[];
  /** Readers of `pipe:1` and, with a second one, `pipe:3`. */
  readonly outputs: readonly [Reader] | readonly [Reader, Reader];
  /** Stops the tool; the run fails with its reason. */
  readonly signal: AbortSignal;
}

/** Demuxers of single files. None of them opens another file or address, as playlists, scripts and concatenations do. */
const formats = 'aac,ac3,aiff,amr,asf,au,avi,caf,eac3,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,tta,w64,wav,wv'.split(',');

/** Of one picture; 8K video has 33 million. */
const maxPixels = 50_000_000;
const limits = { memoryMiB: 512, cpuSeconds: 30 };
/** The shell's exit code when there is no such program. */
const notFound = 127;

/** The arguments that open a file of a customer, for ffmpeg and ffprobe. `format`: the demuxer of a picture; absent: one of sound or video. */
export function openingArguments(path: string, format?: 'gif' | 'bmp_pipe'): string[] {
  const allowed = format ?? formats.join();
  const guard = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', allowed, '-max_pixels', String(maxPixels)];
  return ['-v', 'quiet', ...guard, '-threads', '1', ...(format === undefined ? [] : ['-f', format]), '-i', `file:${path}`];
}

/**
 * Runs a tool of the system's ffmpeg with limits on memory and processor time, and without settings, terminal or error output.
 * Resolves when it has ended well and its outputs are read. Throws ToolMissing, ConversionFailure, what a reader threw, or
 * why it cannot be started.
 */
export async function runTool({ tool, args, outputs, signal }: Run): Promise<void> {
  signal.throwIfAborted();
  const child = await startLimited(limits, tool, args, {
    stdio: ['ignore', 'pipe', 'ignore', outputs.length === 2 ? 'pipe' : 'ignore'],
  });
  const stop = () => child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const ended = once(child, 'close') as Promise<[code: number | null, killedBy: NodeJS.Signals | null]>;
    const reading = outputs.map(async (read, index) => {
      // The pipes were asked for above, so they are readable.
      const output = child.stdio[index === 0 ? 1 : 3] as Readable;
      // Node throws away what nobody listens for when a tool ends, and a reader may have to open its file first.
      output.on('readable', () => undefined);
      try {
        await read(output);
      } catch (error) {
        stop();
        output.destroy();
        throw error;
      }
    });
    // Everything must have ended before the run does, because files may be removed then.
    await Promise.allSettled([ended, ...reading]);
    signal.throwIfAborted();
    await Promise.all(reading);
    const [code, killedBy] = await ended;
    if (code === notFound) throw new ToolMissing(tool);
    // So the kernel ends it when the machine has no memory left, which says nothing of the file.
    if (killedBy === 'SIGKILL') throw new ConversionFailure(`${tool} was killed`, false);
    if (code !== 0) throw new ConversionFailure(`${tool} could not read the file or reached its limits`, true);
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** A reader that keeps all bytes, and what it has kept. It throws when there are more than `maxBytes`. */
export function collect(maxBytes: number): { readonly read: Reader; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    async read(output) {
      for await (const chunk of output) {
        size += chunk.length;
        if (size > maxBytes) throw new ConversionFailure('a tool wrote more than it may', true);
        chunks.push(chunk);
      }
    },
    bytes: () => Buffer.concat(chunks),
  };
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Saves what is made of a file. Throws ConversionFailure when it is larger than a file may be. */
export function saveMade({ files, maxBytes }: Pick<Means, 'files' | 'maxBytes'>, chunks: Chunks): Promise<SavedFile> {
  return files.save(atMost(maxBytes, chunks));
}

/** A reader that saves an output of a tool to a temporary file. `file` throws ConversionFailure when there was nothing to save. */
export function savedOutput(means: Pick<Means, 'files' | 'maxBytes'>): { read: Reader; file(): SavedFile; remove(): Promise<void> } {
  let file: SavedFile | null = null;
  return {
    async read(output) {
      file = await saveMade(means, output);
    },
    file() {
      if (file === null || file.size === 0) throw new ConversionFailure('a tool wrote nothing', true);
      return file;
    },
    async remove() {
      if (file !== null) await means.files.remove(file.path);
    },
  };
}

async function* atMost(maxBytes: number, chunks: Chunks): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new ConversionFailure('what is made of it would be larger than a file may be', true);
    yield chunk;
  }
}
