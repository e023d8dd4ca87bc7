import { type Kysely, type Migration, SqliteAdapter } from 'kysely';
import type { Log } from '../core/index.ts';
import type { HotPath } from './hot-path.ts';
import type { Leases } from './leases.ts';
import type { Database, NewSandboxMessage } from './schema.ts';
import type { Writability } from './writability.ts';

export type Dialect = 'sqlite' | 'postgres';

/** The store's connection, or the one of a transaction. */
export type Db = Kysely<Database>;

export const dialectOf = (db: Db): Dialect => (db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres');

/**
 * One change of the schema. `additive`: programs of the release before work on afterwards as they did, so that servers can be replaced one after
 * the other. Such a change makes new tables (with whatever indexes), or new columns that have a default, and touches no row.
 */
export interface SchemaChange extends Migration {
  readonly additive?: true;
}

/** By name, in order. */
export type SchemaChanges = Readonly<Record<string, SchemaChange>>;

/** How far a database's schema is, by the names of the migrations, oldest first. */
export interface SchemaState {
  /** None in an empty database. */
  readonly applied: readonly string[];
  /** The last one that this program has. */
  readonly newest: string;
  /** Those that this program has and the database lacks. */
  readonly pending: readonly string[];
  /** Whether servers of the release before may run while the pending ones are applied. */
  readonly additive: boolean;
}

export interface OpenOptions {
  /** Whether an embedded database is made when there is none. */
  readonly create?: boolean;
  /** Where a server logs that its store stops working, and that it works again. */
  readonly log?: Pick<Log, 'info' | 'error'>;
  /** The changes of the schema, instead of this release's own. */
  readonly changes?: SchemaChanges | undefined;
  /** Called with the number of calls of the hot path that ran together. */
  readonly onBatch?: ((calls: number) => void) | undefined;
}

/** The one place where things are kept. Two implementations, one schema, one set of migrations. */
export interface Store {
  readonly dialect: Dialect;
  /** Everything off the hot path. Never start a transaction on it directly; use `transaction`. Throws StoreUnavailable when the store fails. */
  readonly db: Kysely<Database>;
  readonly hot: HotPath;
  readonly writability: Writability;
  /**
   * The database's own time (epoch milliseconds), by which everything is judged that several servers judge; null for the embedded store, which
   * only this process judges.
   */
  readonly now: (() => Promise<number>) | null;
  /** Which server owns which number; null for the embedded store, which has one server only. */
  readonly leases: Leases | null;
  /** For the sandbox network: appends to a contact's chat, together with the calls of the hot path. False when the contact has that message id already. */
  deliverToSandbox(message: NewSandboxMessage): Promise<boolean>;
  /**
   * Runs the work in one write transaction: all of it or nothing. Keep it short and free of other waits: nobody else writes to an embedded
   * store meanwhile. Use only the connection it is given.
   */
  transaction<T>(work: (trx: Kysely<Database>) => Promise<T>): Promise<T>;
  /** How far the schema is. Throws OperatorError when the database is too new for this program. */
  schema(): Promise<SchemaState>;
  /** Brings the schema up to date, holding the server's lock while it does. Throws OperatorError when a server holds it. */
  migrate(): Promise<void>;
  /**
   * Makes this process the store's only server, or one of several (`shared`), brings the schema up to date and clears what crashed servers left:
   * claims in flight become unknown. Throws OperatorError when another server holds it for itself.
   */
  becomeServer(options?: { readonly shared: boolean }): Promise<void>;
  /** Called once if the store can no longer be this process's own (its lock was lost); the server must stop. */
  onLost(listener: (reason: string) => void): void;
  /** Writes what is pending and closes every connection. */
  close(): Promise<void>;
}
