import type { Kysely } from 'kysely';
import type { Moved, MoveOptions } from './move/move.ts';
import type { Database } from './schema.ts';

// What commands do with an embedded database as a whole. Its library, and for a move PostgreSQL's, are loaded only then.

/**
 * Writes the embedded database of the folder, as it is at this moment, to a new file, whether or not a server runs. The file is there only when it
 * is whole. The secret key is not in it. Throws OperatorError when there is no database, when it was moved to PostgreSQL, and when the file
 * cannot be written or exists already.
 */
export async function backUp(directory: string, file: string): Promise<void> {
  await (await import('./sqlite/backup.ts')).backUp(directory, file);
}

/**
 * Puts a backup into a data folder that has no database yet, as `gateway.db`. `check` gets the copy before it counts, and throws OperatorError
 * when it must not be used. Throws OperatorError when a server uses the folder, when there is a database in it or there was one that was moved to
 * PostgreSQL, and when the backup is damaged, too old or too new.
 */
export async function restore(directory: string, file: string, check: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  await (await import('./sqlite/backup.ts')).restore(directory, file, check);
}

/**
 * Copies the embedded database of the folder into an empty PostgreSQL database, in one transaction: what is interrupted has done nothing there, and
 * can be called again. Afterwards the folder is marked, so that its database is no longer used.
 * Throws OperatorError when it was moved before, a server uses either of them, the target is in use, the source is not of this version, or a database
 * fails.
 */
export async function moveToPostgres(directory: string, url: string, options: MoveOptions): Promise<Moved> {
  return (await import('./move/move.ts')).moveToPostgres(directory, url, options);
}
