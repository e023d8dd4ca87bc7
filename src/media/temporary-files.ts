import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../core/index.ts';

/** The temporary files of one process, in a directory that no other running process uses. */
export interface TemporaryFiles {
  /** A new empty file with an unpredictable name, readable and writable for this user only. */
  create(): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Removes a file; one that is already gone is no error. */
  remove(path: string): Promise<void>;
  /** Removes what a crash left behind: only files named by `create`. To be called before the first `create`. Returns how many there were. */
  cleanUp(): Promise<number>;
}

const namePattern = /^media-[0-9a-f]{32}\.tmp$/;

export function createTemporaryFiles(directory: string): TemporaryFiles {
  const remove = (path: string) => rm(path, { force: true });
  return {
    remove,
    async create() {
      const path = join(directory, `media-${randomBytes(16).toString('hex')}.tmp`);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // 'wx' fails rather than follow or overwrite something that is already there.
      return { path, handle: await open(path, 'wx', 0o600) };
    },
    async cleanUp() {
      makeFolder(directory);
      const entries = await readdir(directory, { withFileTypes: true });
      const left = entries.filter((entry) => entry.isFile() && namePattern.test(entry.name));
      await Promise.all(left.map((entry) => remove(join(directory, entry.name))));
      return left.length;
    },
  };
}
