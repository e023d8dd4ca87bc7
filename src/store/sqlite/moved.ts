import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFile, OperatorError } from '../../core/index.ts';

const fileOf = (directory: string) => join(directory, 'moved.txt');

/** Marks the folder: its installation lives in the named PostgreSQL database now, and two must not use the same numbers. Waits for the disk. */
export function markMoved(directory: string, to: string): void {
  const text = `This installation was moved to the PostgreSQL database ${to}.\nWithout this file gateway.db, which is as it was before, could be used again.\n`;
  rmSync(fileOf(directory), { force: true });
  makeFile(fileOf(directory), text, 'folder');
}

/** Throws OperatorError when the folder's installation was moved elsewhere. */
export function requireNotMoved(directory: string): void {
  const moved = readMoved(directory);
  if (moved !== null) throw moved.error;
}

/** That an installation was moved elsewhere. */
export interface MovedElsewhere {
  /** Host, port and database. */
  readonly to: string;
  /** Why the installation is not to be used. */
  readonly error: OperatorError;
}

/** Null when the folder's installation was not moved. */
export function readMoved(directory: string): MovedElsewhere | null {
  const file = fileOf(directory);
  if (!existsSync(file)) return null;
  const to = /PostgreSQL database (\S+)\.\n/.exec(readFileSync(file, 'utf8'))?.[1] ?? 'another database';
  const error = new OperatorError(
    `the installation in ${directory} was moved to PostgreSQL (${to}): set DATABASE_URL; to go back to what it was before, delete ${file}`,
  );
  return { to, error };
}
