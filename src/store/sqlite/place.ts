import { stat, statfs } from 'node:fs/promises';
import { StoreUnavailable } from '../../core/index.ts';
import { diskFull } from './faults.ts';

/** Space kept free, so that sends in flight when the disk fills up can still be recorded. */
const reserveBytes = 16 * 1024 * 1024;

/** Watches the place of an open database: that its files are still those that were opened, and that there is room. */
export async function watchPlace(file: string): Promise<() => Promise<StoreUnavailable | null>> {
  const names = [file, `${file}-wal`];
  const opened = await Promise.all(names.map(identity));

  return async () => {
    const now = await Promise.all(names.map(identity));
    const gone = names.find((_, i) => now[i] !== opened[i]);
    if (gone !== undefined) {
      return new StoreUnavailable(
        `${gone} was deleted, replaced or unmounted under the running server, which keeps nothing any more; put the data folder back, or restart the server`,
      );
    }
    return fullDisk(file);
  };
}

/** What is wrong with the space for the database; null: nothing. */
export async function fullDisk(file: string): Promise<StoreUnavailable | null> {
  const { bavail, bsize, blocks } = await statfs(file);
  // Some file systems over a network do not know their size.
  return blocks > 0 && bavail * bsize < reserveBytes ? new StoreUnavailable(diskFull(file)) : null;
}

/** Identifies a file, to tell it from another one of the same name; null when there is none. */
async function identity(file: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(file);
    return `${dev} ${ino}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}
