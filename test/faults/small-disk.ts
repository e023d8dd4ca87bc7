import { closeSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

/** The small disk that only the server sees, looked at from outside. */
export interface SmallDisk {
  readonly serverPid: number;
  /** Takes all of its space but so many bytes. */
  fill(leaving: number): void;
  free(): void;
}

/** The disk of a server started with `withSmallDisk`; it must be ready. */
export function smallDiskOf(server: ServerProcess, at: string): SmallDisk {
  const root = `/proc/${server.child.pid}/root${at}`;
  const ballast = join(root, 'ballast');
  const chunk = Buffer.alloc(4096);
  return {
    serverPid: Number(readFileSync(join(root, 'server.pid'), 'utf8')),
    fill(leaving) {
      const file = openSync(ballast, 'w');
      try {
        for (let { bavail, bsize } = statfsSync(root); bavail * bsize > leaving; { bavail, bsize } = statfsSync(root))
          writeSync(file, chunk);
      } catch (error) {
        // The server writes at the same time and may have taken the last of it.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}
