import type { Moved, MoveOptions } from './move/move.ts';

/**
 * Copies the embedded database of the folder into an empty PostgreSQL database, which nobody can use before everything is there and was
 * compared. A move that was interrupted goes on when it is called again. Afterwards the folder is marked, so that its database is no longer used.
 * Throws OperatorError when a server uses either of them, the target is in use, the source is not of this version, or a database fails.
 */
export async function moveToPostgres(directory: string, url: string, options: MoveOptions): Promise<Moved> {
  // Both databases are loaded by this command alone.
  return (await import('./move/move.ts')).moveToPostgres(directory, url, options);
}
