import type Sqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { patiently } from './busy.ts';

/**
 * Kysely on one connection, whose own busy timeout must be 0: what finds the database busy is tried again a moment later, for five seconds,
 * and everything else goes on meanwhile. `explain` makes the error that callers get.
 */
export function patientDialect(database: Sqlite.Database, explain: (error: unknown) => unknown): Dialect {
  return {
    createDriver: () => new PatientDriver(database, explain),
    createQueryCompiler: () => new LocklessCompiler(),
    createAdapter: () => new TransactionalAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** SQLite has no row locks, and needs none: it has one writer. */
export class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct') super.visitSelectModifier(node);
  }
}

/** What a statement answers depends on the columns there were when it was prepared. */
const changesTables = /^\s*(create|alter|drop)\b/i;
/** So many statements stay prepared: about as many as the program has. */
const keptStatements = 500;

/** Kysely's own says that SQLite has no transactional DDL, which it has: migrations are applied together or not at all. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

interface OpenTransaction {
  readonly connection: DatabaseConnection;
  readonly ended: Promise<void>;
  end(): void;
}

/** All of Kysely's connections are the one of the database; a transaction has it to itself while it is open. */
class PatientDriver implements Driver {
  readonly #database: Sqlite.Database;
  readonly #explain: (error: unknown) => unknown;
  #open: OpenTransaction | null = null;
  /** By their text. */
  readonly #prepared = new LRUCache<string, Sqlite.Statement>({ max: keptStatements });

  constructor(database: Sqlite.Database, explain: (error: unknown) => unknown) {
    this.#database = database;
    this.#explain = explain;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection: DatabaseConnection = {
      executeQuery: <Row>(query: CompiledQuery) => this.#patiently(connection, () => this.#run<Row>(query)),
      streamQuery() {
        throw new Error('rows are not streamed from the embedded database');
      },
    };
    return connection;
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#patiently(connection, () => {
      this.#database.exec('begin immediate');
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      this.#open = { connection, ended, end };
    });
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#patiently(connection, () => this.#database.exec('commit'));
    this.#ended();
  }

  async rollbackTransaction(): Promise<void> {
    try {
      // Some errors (a full disk among them) have rolled back already.
      if (this.#database.inTransaction) this.#database.exec('rollback');
    } finally {
      this.#ended();
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    while (this.#open !== null) await this.#open.ended;
    this.#database.close();
  }

  async #patiently<T>(connection: DatabaseConnection, work: () => T): Promise<T> {
    const isTaken = () => this.#open !== null && this.#open.connection !== connection;
    try {
      for (;;) {
        // Its five seconds are for other programs, and do not pass while a transaction of this one is open.
        const done = await patiently(() => (isTaken() ? null : { result: work() }));
        if (done !== null) return done.result;
        await this.#open?.ended;
      }
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#statement(sql);
    // The types of the rows are those of the query, as with every dialect.
    if (statement.reader) return { rows: statement.all(parameters) as Row[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  /** Preparing takes longer than running most of them. */
  #statement(sql: string): Sqlite.Statement {
    const kept = this.#prepared.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#database.prepare(sql);
    if (changesTables.test(sql)) this.#prepared.clear();
    else this.#prepared.set(sql, statement);
    return statement;
  }

  #ended(): void {
    this.#open?.end();
    this.#open = null;
  }
}
