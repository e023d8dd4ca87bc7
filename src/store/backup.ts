import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

// SQLite is loaded only when it is used.

/**
 * Writes the embedded database of the folder, as it is at this moment, to a new file, whether or not a server runs. The file is there only when it
 * is whole. It does not hold the secret key. Throws OperatorError when there is no database, when it was moved to
 * PostgreSQL, and when the file cannot be written or exists already.
 */
export async function backUp(directory: string, file: string): Promise<void> {
  await (await import('./sqlite/backup.ts')).backUp(directory, file);
}

/**
 * Puts a backup into a data folder that has no database yet, as `gateway.db`. `check` is given the copy before it counts, and throws OperatorError
 * when it must not be used. Throws OperatorError when a server uses the folder, when it holds a database or what it held was moved
 * to PostgreSQL, and when the backup is damaged, of a newer version or made before the first schema.
 */
export async function restore(directory: string, file: string, check: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  await (await import('./sqlite/backup.ts')).restore(directory, file, check);
}
