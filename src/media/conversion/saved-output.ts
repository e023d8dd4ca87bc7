import { type SavedFile, saveFile } from '../save-file.ts';
import { ConversionFailure, type Means } from './conversion.ts';
import type { Reader } from './run-tool.ts';

/** Saves what is made of a file. Throws ConversionFailure when it is larger than a file may be. */
export function saveMade({ files, maxBytes }: Pick<Means, 'files' | 'maxBytes'>, chunks: AsyncIterable<Uint8Array>): Promise<SavedFile> {
  return saveFile(files, atMost(maxBytes, chunks));
}

/** A reader that saves an output of a tool to a temporary file. */
export function savedOutput(means: Pick<Means, 'files' | 'maxBytes'>): { read: Reader; file(): SavedFile | null; remove(): Promise<void> } {
  let file: SavedFile | null = null;
  return {
    async read(output) {
      file = await saveMade(means, output);
    },
    file: () => file,
    async remove() {
      if (file !== null) await means.files.remove(file.path);
    },
  };
}

async function* atMost(maxBytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new ConversionFailure('what is made of it would be larger than a file may be', true);
    yield chunk;
  }
}
