import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { OperatorError } from '../../core/index.ts';
import { migrate, migrationTables } from '../migrate.ts';
import { connectionConfig, describe, unusable } from '../postgres/connections.ts';
import { isLockTimeout, isUnavailable } from '../postgres/faults.ts';
import { requireWritable, serverLock } from '../postgres/server-lock.ts';
import { markTable } from '../postgres/unfinished-move.ts';
import type { MovedElsewhere } from '../sqlite/moved.ts';
import { quoted, type SourceTable, type SqliteValue } from './source.ts';

/** The pair of numbers of an advisory lock is "gate", "move" in ASCII. */
const moveLock = [0x67617465, 0x6d6f7665] as const;
/** How long to wait for an earlier move that was killed: PostgreSQL ends its statement first, or notices that its machine is gone. */
const earlierMs = 30_000;

/** A PostgreSQL database that is being filled in one transaction, which also keeps servers and other moves away. */
export type Target = Awaited<ReturnType<typeof openTarget>>;

/**
 * Begins to fill the database of the URL, with its tables. Throws OperatorError when it cannot be used, a server uses it, or it has anything in it.
 * `moved`: not null when the source is marked as moved; its error is thrown then unless it was moved here and the last step is missing.
 */
export async function openTarget(url: string, moved: MovedElsewhere | null) {
  const name = describe(url);
  if (moved !== null && moved.to !== name) throw moved.error;
  const client = new pg.Client({
    ...connectionConfig(url, { name: 'messaging-gateway move', statementTimeoutMs: 0 }),
    // A statement may take its time, so that only this notices a connection of which nothing comes any more.
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw unusable(url, error);
  });
  const during = <T>(what: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explained(error, name, what);
    });
  async function query<Row extends pg.QueryResultRow>(what: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await during(what, client.query<Row>(text, [...values]))).rows;
  }

  async function begin() {
    await query('the beginning', 'begin');
    // Over a slow line a batch takes its time, and counts as received only when all of it is there; a large table takes its time, too.
    const settings = { lock_timeout: `${earlierMs}`, idle_in_transaction_session_timeout: '0', statement_timeout: '0' };
    for (const one of Object.entries(settings)) await query('the beginning', 'select set_config($1, $2, true)', one);
    await query('waiting for an earlier move', 'select pg_advisory_xact_lock($1, $2)', moveLock);
    const [lock] = await query<{ held: boolean }>('the beginning', 'select pg_try_advisory_xact_lock($1, $2) as held', serverLock);
    if (lock?.held !== true) throw inUse(name);
    const tables = await query<{ name: string }>(
      'looking at the tables',
      'select tablename as name from pg_tables where schemaname = current_schema()',
    );
    const isFilled = tables.some((table) => table.name === markTable);
    if (isFilled && moved === null) {
      throw new OperatorError(`a move into the database ${name} was interrupted at its end; empty the database and run gateway move again`);
    }
    if (!isFilled && moved !== null) throw moved.error;
    if (!isFilled && tables.length > 0) throw new OperatorError(`the database ${name} is not empty; give the address of an empty one`);
    if (!isFilled) await during('making the tables', makeTables(client));
    const columns = await query<{ table: string; name: string; type: string }>('reading the tables', columnsQuery, [migrationTables]);
    const types = new Map<string, Map<string, string>>();
    for (const { table, name: column, type } of columns) {
      types.set(table, (types.get(table) ?? new Map<string, string>()).set(column, type));
    }
    // The plans and the provider that every installation begins with come from the source, too.
    if (!isFilled) await query('emptying the tables', `truncate ${[...types.keys()].map(quoted).join(', ')}`);
    return { isFilled, types };
  }

  try {
    await requireWritable(client).catch((error: unknown) => {
      throw unusable(url, error);
    });
    const { isFilled, types } = await begin();
    return {
      /** Host, port and database. */
      name,
      /** Whether everything is there, and only `open` is missing. */
      isFilled,
      /** The types of the columns of each table, but for the migrations' own. */
      types,
      async insert({ name: table, columns }: SourceTable, rows: readonly SqliteValue[][]): Promise<void> {
        const line = (row: number) =>
          `(${columns.map((column, place) => `$${row * columns.length + place + 1}::${types.get(table)?.get(column)}`).join(', ')})`;
        // Ids are the source's, also where PostgreSQL would make them.
        const text = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) overriding system value
          values ${rows.map((_, row) => line(row)).join(', ')}`;
        await query(`writing the table ${table}`, text, rows.flat().map(toPostgres));
      },
      async count(table: string): Promise<number> {
        const [row] = await query<{ rows: number }>(`reading the table ${table}`, `select count(*) as rows from ${quoted(table)}`);
        return row?.rows ?? 0;
      },
      /** Makes it a database like any other: ids go on behind those that are there, and the planner knows the tables. `meta` is added to that one. */
      async finish(tables: readonly SourceTable[], meta: Readonly<Record<string, string>>): Promise<void> {
        for (const one of Object.entries(meta)) {
          await query('finishing', 'insert into meta (name, value) values ($1, $2) on conflict do nothing', one);
        }
        for (const { table, column } of await query<{ table: string; column: string }>('finishing', identitiesQuery)) {
          const text = `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(table)} having count(*) > 0`;
          await query('finishing', text, [quoted(table), column]);
        }
        // An analysed empty table would be planned for as if it stayed empty.
        for (const { name: table, rows } of tables) if (rows > 0) await query('finishing', `analyze ${quoted(table)}`);
        await query('finishing', `create table ${quoted(markTable)} ()`);
      },
      /** Stores what was filled. Nobody can use it before `open`. */
      async commit(): Promise<void> {
        await query('the end', 'commit');
      },
      /** Lets servers and commands use it. */
      async open(): Promise<void> {
        await query('the end', `drop table ${quoted(markTable)}`);
        // The transaction that has found it filled.
        if (isFilled) await query('the end', 'commit');
      },
      /** Without a commit before, nothing of it has happened. */
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Makes the tables in the transaction of this connection. */
async function makeTables(client: pg.Client): Promise<void> {
  // After an error PostgreSQL refuses whatever follows in the transaction, and the migrator reports that.
  let first: unknown = null;
  const query = (text: string, values: unknown[]) =>
    client.query(text, values).catch((error: unknown) => {
      first ??= error;
      throw error;
    });
  const only = { query, release: () => undefined } as unknown as pg.PoolClient;
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: { connect: async () => only, end: async () => undefined } }) });
  await migrate(db, 'postgres', undefined, true).catch((error: unknown) => {
    throw first ?? error;
  });
}

const columnsQuery = `
  select relname as table, attname as name, format_type(atttypid, atttypmod) as type
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped and relname::text <> all ($1)`;

/** The columns whose values the database makes by itself. */
const identitiesQuery = `
  select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = current_schema()::regnamespace and attidentity <> '' and not attisdropped`;

/** Text in which PostgreSQL reads every type: 0 and 1 as false and true, ISO times as times. */
function toPostgres(value: SqliteValue): string | Buffer | null {
  return value === null || value instanceof Buffer ? value : String(value);
}

function inUse(database: string): OperatorError {
  return new OperatorError(`a gateway server, or another move, uses the database ${database}; stop it first`);
}

function explained(error: unknown, database: string, what: string): unknown {
  if (error instanceof OperatorError) return error;
  if (isLockTimeout(error)) return inUse(database);
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  if (isUnavailable(error)) {
    return new OperatorError(`the database ${database} can no longer be used (${what}: ${reason}); run the command again`);
  }
  return error instanceof pg.DatabaseError ? new OperatorError(`the database ${database} refuses ${what}: ${reason}`) : error;
}
