import { createHash } from 'node:crypto';
import { isOutOfFiles } from '../core/index.ts';
import { fetchFailure } from './fetch-failure.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** A file on local disk. */
export interface SavedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

/** Streams bytes to a temporary file, so that memory stays flat. When the source or the disk fails, so does this, and no file is left. */
export async function saveFile(files: TemporaryFiles, chunks: AsyncIterable<Uint8Array>): Promise<SavedFile> {
  const { path, handle } = await files.create().catch((error: unknown) => {
    throw isOutOfFiles(error) ? fetchFailure('the gateway cannot open another file at present', error) : error;
  });
  const hash = createHash('sha256');
  let size = 0;
  try {
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    await files.remove(path);
    throw error;
  }
  return { path, size, sha256: hash.digest('hex') };
}
