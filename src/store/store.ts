import type { Kysely } from 'kysely';
import type { HotPath } from './hot-path.ts';
import type { Database } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/** The one place where things are kept. Two implementations, one schema, one set of migrations. */
export interface Store {
  readonly dialect: Dialect;
  /** Everything off the hot path. Never start a transaction on it directly; use `transaction`. */
  readonly db: Kysely<Database>;
  readonly hot: HotPath;
  /**
   * Runs the work in one write transaction: all of it or nothing. Keep it short and free of other waits: it holds up the hot path of the
   * embedded store. Use only the connection it is given.
   */
  transaction<T>(work: (trx: Kysely<Database>) => Promise<T>): Promise<T>;
  /**
   * Makes this process the store's only server and clears what a crashed one left: claims in flight become unknown, reservations go.
   * Throws OperatorError when another server holds it.
   */
  becomeServer(): Promise<void>;
  /** Called once if the store can no longer be this process's own (its lock was lost); the server must stop. */
  onLost(listener: (reason: string) => void): void;
  /** Writes what is pending and closes every connection. */
  close(): Promise<void>;
}
