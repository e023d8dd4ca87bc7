import { closeSync, openSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { Periodic } from './periodic.ts';

/** How often it is tried whether a file can be opened. */
const everyMs = 5_000;

/** As many files and connections the process should be allowed to have open at once: twice the connections that clients may have. */
export const neededOpenFiles = 10_000;

/** What to do about a lower limit. */
export const raiseOpenFileLimit = `raise the limit to ${neededOpenFiles} or more: LimitNOFILE= of a systemd service, --ulimit nofile= of Docker, ulimit -n in a shell`;

/**
 * How many files and connections this process may have open at once (`ulimit -n`, RLIMIT_NOFILE); null where the system is not
 * Linux, or sets no limit. Node.js raises it to the hard limit when it starts.
 */
export function openFileLimit(): number | null {
  if (process.platform !== 'linux') return null;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === undefined ? null : Number(limit);
}

/** Logs when the process cannot open anything more, and when it can again. Node.js itself drops connections then without a word. */
export function watchOpenFiles({ clock, log }: { clock: Clock; log: Pick<Log, 'info' | 'error'> }): Periodic {
  let short = false;
  function look(): void {
    const isShort = !canOpenOne();
    if (isShort && !short) {
      log.error({}, `this process has as many files and connections open as it may, so it takes no new connections; ${raiseOpenFileLimit}`);
    }
    if (!isShort && short) log.info({}, 'files and connections can be opened again');
    short = isShort;
  }
  return new Periodic({ clock, everyMs, firstMs: 0, work: look, log }).start();
}

function canOpenOne(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    if (isOutOfFiles(error)) return false;
    throw error;
  }
}

/** Whether something failed because this process, or the whole machine, has no file descriptors left. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
