import Sqlite from 'better-sqlite3';
import { OperatorError, StoreUnavailable } from '../../core/index.ts';

// Errors that the data of a single call may cause.
const dataErrors = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;
const busyErrors = /^SQLITE_(BUSY|LOCKED)/;
// SQLite's, and those of the file system for a failed wait for the disk (disk-sync.ts).
const diskErrors = /^(SQLITE_(READONLY|IOERR|CANTOPEN|PERM|CORRUPT|NOTADB|PROTOCOL)|E[A-Z]+$)/;

/** Whether an error may come from one element of a batch. A full or failing disk fails all of them alike. */
export function isOneCallsFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || dataErrors.test(codeOf(error));
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return busyErrors.test(codeOf(error));
}

/** StoreUnavailable, in the operator's words, when the machine keeps the database from being read or written; every other error as it is. */
export function explained(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (busyErrors.test(code)) {
    return new StoreUnavailable(
      `another program has been writing to ${file} for seconds, so this one cannot; end that program, no restart is needed`,
      { cause: error },
    );
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return new StoreUnavailable(diskFull(file), { cause: error });
  if (diskErrors.test(code)) {
    return new StoreUnavailable(
      `${file} cannot be read or written (${(error as Error).message}); mend the disk or the file's permissions, no restart is needed`,
      { cause: error },
    );
  }
  return error;
}

/** The message for a disk without room for the database. */
export function diskFull(file: string): string {
  return `the disk is full, ${file} cannot be written; free space, no restart is needed`;
}

/** The error of a data folder that cannot be used, as one line for the operator. */
export function unusable(directory: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`cannot use the data folder ${directory}: ${reason}; fix its permissions or free space, or set DATA_DIR`);
}

function codeOf(error: unknown): string {
  if (error instanceof Sqlite.SqliteError) return error.code;
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
