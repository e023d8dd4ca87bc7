import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** How far a move is. */
export interface MoveProgress {
  /** The table that is being copied. */
  readonly table: string;
  /** Rows in PostgreSQL by now, and how many there will be. */
  readonly rows: number;
  readonly allRows: number;
}

/** What was moved, and where to. */
export interface Moved {
  /** The file of the embedded database. */
  readonly from: string;
  /** Host, port and database. */
  readonly to: string;
  readonly tables: readonly { readonly table: string; readonly rows: number }[];
}

export interface MoveOptions {
  /** Given the source before anything else happens; throws OperatorError when it must not be moved. What it returns is put into `meta` at the end. */
  readonly check: (source: Kysely<Database>) => Promise<Readonly<Record<string, string>>>;
  /** Told when the rows of an earlier, interrupted run are gone on with, or had to be dropped because the source has changed since. */
  readonly onEarlier: (earlier: 'continued' | 'dropped') => void;
  readonly onProgress: (progress: MoveProgress) => void;
  /** Told when everything is copied and is about to be compared. */
  readonly onCopied: () => void;
}

/**
 * Copies the embedded database of the folder into an empty PostgreSQL database, which nobody can use before everything is there and was
 * compared. A move that was interrupted goes on when it is called again. Afterwards the folder is marked, so that its database is no longer used.
 * Throws OperatorError when a server uses either of them, the target is in use, the source is not of this version, or a database fails.
 */
export async function moveToPostgres(directory: string, url: string, options: MoveOptions): Promise<Moved> {
  // Both databases are loaded by this command alone.
  return (await import('./move/move.ts')).moveToPostgres(directory, url, options);
}
