import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Log, makeFolder, StoreUnavailable } from '../core/index.ts';

/** A file on local disk. */
export interface SavedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

const namePattern = /^media-[0-9a-f]{32}\.tmp$/;

/** The temporary files of one process, in a directory that no other running process uses. */
export class TemporaryFiles {
  readonly #directory: string;
  readonly #log: Pick<Log, 'warn'>;

  constructor(directory: string, log: Pick<Log, 'warn'>) {
    this.#directory = directory;
    this.#log = log;
  }

  /** A new empty file with an unpredictable name, readable and writable for this user only. */
  async create(): Promise<{ readonly path: string; readonly handle: FileHandle }> {
    const path = join(this.#directory, `media-${randomBytes(16).toString('hex')}.tmp`);
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    // 'wx' fails rather than follow or overwrite something that is already there.
    return { path, handle: await open(path, 'wx', 0o600) };
  }

  /**
   * Streams bytes to a new file, so that memory stays flat. When the source or the disk fails, so does this, and no file is left. Throws
   * StoreUnavailable when the disk is full.
   */
  async save(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<SavedFile> {
    try {
      return await this.#write(await this.create(), chunks);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      throw new StoreUnavailable(`the disk is full, ${this.#directory} cannot be written; free space, no restart is needed`, {
        cause: error,
      });
    }
  }

  /** Removes a file; one that is already gone is no error. It never fails, since a send that was accepted stays one: why it could not is logged. */
  async remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true });
    } catch (error) {
      this.#log.warn({ err: error }, 'a temporary file could not be removed; the next start tries again');
    }
  }

  /** Removes what a crash left behind: only files named by `create`. To be called before the first `create`. Returns how many there were. */
  async cleanUp(): Promise<number> {
    makeFolder(this.#directory);
    const entries = await readdir(this.#directory, { withFileTypes: true });
    const left = entries.filter((entry) => entry.isFile() && namePattern.test(entry.name));
    await Promise.all(left.map((entry) => this.remove(join(this.#directory, entry.name))));
    return left.length;
  }

  async #write(
    { path, handle }: Awaited<ReturnType<TemporaryFiles['create']>>,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): Promise<SavedFile> {
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
      await this.remove(path);
      throw error;
    }
    return { path, size, sha256: hash.digest('hex') };
  }
}

/** Whether the disk, or what this user may have of it, is full. */
function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
