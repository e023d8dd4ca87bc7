import Sqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/schema.ts';
import { LocklessCompiler } from '../../src/store/sqlite/dialect.ts';
import type { Preparing } from '../../src/store/sqlite/prepared.ts';
import { type RowStatements, rowStatements } from '../../src/store/sqlite/row-statements.ts';

type Row = Record<string, unknown>;

/**
 * The one database of a simulation, in memory. Every call is an atom: it happens at once, wholly or not at all. Simulations use it one after the
 * other, because a new one would have to compile every statement anew.
 */
export class SimulatedDatabase {
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  /** For transactions, which run within one step. */
  readonly direct: Kysely<Database>;
  /** Those of the embedded store. */
  readonly statements: RowStatements;
  /** Grows with every row that is changed, but for what `keepAlive` changes. */
  changes = 0;

  private constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
    this.direct = this.kysely((work) => work());
    this.statements = rowStatements(this.direct);
  }

  /** An empty database with the whole schema. */
  static async open(): Promise<SimulatedDatabase> {
    const sqlite = new Sqlite(':memory:');
    sqlite.pragma('foreign_keys = on');
    const database = new SimulatedDatabase(sqlite);
    await migrate(database.direct, 'sqlite');
    return database;
  }

  /** A simulation begins, which leaves nothing behind. */
  begin(): void {
    this.#sqlite.exec('begin');
  }

  /** It ends. */
  end(): void {
    this.#sqlite.exec('rollback');
  }

  /** Kysely over this database; `carry` brings each query to it. */
  kysely(carry: <T>(work: () => T) => T | Promise<T>): Kysely<Database> {
    const atoms = { begin: () => this.#begin(), commit: () => this.#commit(), rollback: () => this.#rollback() };
    return new Kysely<Database>({ dialect: dialectOf((query) => carry(() => this.#run(query)), atoms) });
  }

  all<T = Row>(sql: string, ...values: unknown[]): T[] {
    const statement = this.#prepared(sql);
    const rows = statement.all(...values) as T[];
    if (!statement.readonly) this.changes += rows.length;
    return rows;
  }

  one<T = Row>(sql: string, ...values: unknown[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  /** How many rows it changed. */
  change(sql: string, ...values: unknown[]): number {
    const { changes } = this.#prepared(sql).run(...values);
    this.changes += changes;
    return changes;
  }

  /** For the embedded store's own code. */
  prepare(sql: string): ReturnType<Preparing['prepare']> {
    return { get: (values) => this.one(sql, ...values), run: (values) => ({ changes: this.change(sql, ...values) }) };
  }

  /** A change that says only that somebody still lives. */
  keepAlive(sql: string, ...values: unknown[]): number {
    return this.#prepared(sql).run(...values).changes;
  }

  /** Several statements, all of them or none. */
  together<T>(work: () => T): T {
    this.#begin();
    try {
      const result = work();
      this.#commit();
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  #begin(): void {
    this.#prepared('savepoint atom').run();
  }

  #commit(): void {
    this.#prepared('release atom').run();
  }

  #rollback(): void {
    this.#prepared('rollback to atom').run();
    this.#commit();
  }

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#sqlite.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const statement = this.#prepared(sql);
    if (statement.reader) {
      const rows = statement.all(...parameters);
      if (!statement.readonly) this.changes += rows.length;
      return { rows };
    }
    const { changes } = statement.run(...parameters);
    this.changes += changes;
    return { numAffectedRows: BigInt(changes), rows: [] };
  }
}

interface Atoms {
  begin(): void;
  commit(): void;
  rollback(): void;
}

function dialectOf(run: (query: CompiledQuery) => QueryResult<unknown> | Promise<QueryResult<unknown>>, atoms: Atoms): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery) => (await run(query)) as QueryResult<R>,
    streamQuery() {
      throw new Error('rows are not streamed');
    },
  };
  return {
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessCompiler(),
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      beginTransaction: async () => atoms.begin(),
      commitTransaction: async () => atoms.commit(),
      rollbackTransaction: async () => atoms.rollback(),
      releaseConnection: async () => undefined,
      destroy: async () => undefined,
    }),
  };
}

class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
