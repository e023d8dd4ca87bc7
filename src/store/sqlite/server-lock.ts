import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { makeFile, makeFolder, OperatorError } from '../../core/index.ts';
import { isBusy, unusable } from './faults.ts';

/** A data folder that is this process's own. */
export interface DataFolderLock {
  release(): void;
}

/**
 * Holds the data folder, which is made if need be, for one server. The lock is SQLite's own file lock on a file of its own, which the operating
 * system releases however the process ends, kill -9 included. Throws OperatorError when another server holds it, or it cannot be used.
 */
export function lockDataFolder(directory: string): DataFolderLock {
  const [lockFile, pidFile] = [join(directory, 'server.lock'), join(directory, 'server.pid')];
  let lock: Sqlite.Database | null = null;
  try {
    makeFolder(directory);
    makeFile(lockFile, '', 'folder');
    lock = new Sqlite(lockFile, { timeout: 0 });
    lock.pragma('locking_mode = exclusive');
    lock.exec('begin exclusive');
    // One that an ended process of another user left behind could not be written to.
    rmSync(pidFile, { force: true });
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    lock?.close();
    if (!isBusy(error)) throw unusable(directory, error);
    throw new OperatorError(
      `another gateway server${holder(pidFile)} uses the data folder ${directory}; stop it, or set DATA_DIR to another folder`,
    );
  }
  const held = lock;
  return {
    release() {
      rmSync(pidFile, { force: true });
      held.close();
    },
  };
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
