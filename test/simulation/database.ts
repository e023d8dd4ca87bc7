import Sqlite from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { migrate } from '../../src/store/migrate.ts';
import type { Database } from '../../src/store/schema.ts';

type Row = Record<string, unknown>;

/** The one database of a simulation, in memory. Every call is an atom: it happens at once, wholly or not at all. */
export class SimulatedDatabase {
  readonly sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  /** For transactions, which run within one step. */
  readonly direct: Kysely<Database>;

  constructor(template: Buffer) {
    this.sqlite = new Sqlite(template);
    this.sqlite.pragma('foreign_keys = on');
    this.direct = this.kysely((work) => work());
  }

  /** Kysely over this database; `carry` brings each query to it. */
  kysely(carry: <T>(work: () => T) => T | Promise<T>): Kysely<Database> {
    return new Kysely<Database>({ dialect: dialectOf((query) => carry(() => this.#run(query)), this.sqlite) });
  }

  all<T = Row>(sql: string, ...values: unknown[]): T[] {
    return this.#prepared(sql).all(...values) as T[];
  }

  one<T = Row>(sql: string, ...values: unknown[]): T | undefined {
    return this.#prepared(sql).get(...values) as T | undefined;
  }

  /** How many rows it changed. */
  change(sql: string, ...values: unknown[]): number {
    return this.#prepared(sql).run(...values).changes;
  }

  /** Several statements, all of them or none. */
  together<T>(work: () => T): T {
    this.sqlite.exec('begin');
    try {
      const result = work();
      this.sqlite.exec('commit');
      return result;
    } catch (error) {
      this.sqlite.exec('rollback');
      throw error;
    }
  }

  close(): void {
    this.sqlite.close();
  }

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.sqlite.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const statement = this.#prepared(sql);
    if (statement.reader) return { rows: statement.all(...parameters) };
    const { changes } = statement.run(...parameters);
    return { numAffectedRows: BigInt(changes), rows: [] };
  }
}

/** An empty database with the whole schema, to start simulations from. */
export async function emptyDatabase(): Promise<Buffer> {
  const sqlite = new Sqlite(':memory:');
  const run = ({ sql, parameters }: CompiledQuery) => {
    const statement = sqlite.prepare(sql);
    return statement.reader
      ? { rows: statement.all(...parameters) }
      : { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  };
  await migrate(new Kysely<Database>({ dialect: dialectOf(run, sqlite) }), 'sqlite');
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}

function dialectOf(run: (query: CompiledQuery) => QueryResult<unknown> | Promise<QueryResult<unknown>>, sqlite: Sqlite.Database): Dialect {
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
      beginTransaction: async () => void sqlite.exec('begin'),
      commitTransaction: async () => void sqlite.exec('commit'),
      rollbackTransaction: async () => void sqlite.exec('rollback'),
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

/** Atoms need no row locks, which SQLite does not have. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForShare' && node.modifier !== 'ForNoKeyUpdate') super.visitSelectModifier(node);
  }
}
