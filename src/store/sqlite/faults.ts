import Sqlite from 'better-sqlite3';
import { OperatorError } from '../../core/index.ts';

/** An error in the operator's words when the machine keeps the database from being written; every other one as it is. */
export function explained(error: unknown, file: string): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (error.code === 'SQLITE_FULL')
    return new OperatorError(`the disk is full, ${file} cannot be written; free space, no restart is needed`);
  if (/^SQLITE_(READONLY|IOERR|CANTOPEN|PERM)/.test(error.code)) {
    return new OperatorError(
      `${file} cannot be read or written (${error.message}); mend the disk or the file's permissions, no restart is needed`,
    );
  }
  return error;
}

/** The error of a data folder that cannot be used, as one line for the operator. */
export function unusable(directory: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`cannot use the data folder ${directory}: ${reason}; mend its permissions or free space, or set DATA_DIR`);
}
