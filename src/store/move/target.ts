import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { OperatorError } from '../../core/index.ts';
import { migrate, migrationTables } from '../migrate.ts';
import { connectionConfig, describe, unusable } from '../postgres/connections.ts';
import { isUnavailable } from '../postgres/faults.ts';
import { lockDatabase } from '../postgres/server-lock.ts';
import { markTable } from '../postgres/unfinished-move.ts';
import type { MovedElsewhere } from '../sqlite/moved.ts';
import { type Column, digestQuery, isColumnType, quoted, type SqliteValue, toPostgres } from './columns.ts';

/** Parameters that one statement may have. */
export const mostParameters = 60_000;

/** How long to wait for what others hold, in milliseconds. */
const lockMs = 30_000;

/** The pair of numbers of an advisory lock is "gate", "move" in ASCII. */
const moveLock = [0x67617465, 0x6d6f7665] as const;

/** A PostgreSQL database that is being filled. It is locked as by a server, and marked as unfinished from before its first table until its end. */
export type Target = Awaited<ReturnType<typeof openTarget>>;

/**
 * Opens the database of the URL for a move of the source with this identity, and makes its tables. Throws OperatorError when it cannot be used,
 * a server uses it, or it has anything in it but an unfinished move of the same source. `moved`: not null when the source is marked
 * as moved, which is the last step but one of a move; its error is thrown then unless it was moved here and only the last step is missing.
 */
export async function openTarget(url: string, identity: string, moved: MovedElsewhere | null) {
  const name = describe(url);
  const client = new pg.Client(connectionConfig(url, { name: 'messaging-gateway move', statementTimeoutMs: 0 }));
  client.on('error', () => undefined);
  // No statement has an end of its own, because a large table takes its time: when the lock is lost, the connection is broken.
  const broken = { lost: () => void client.end().catch(() => undefined) };
  const lock = await lockDatabase(url, broken, { regainWithinMs: lockMs }).catch((error: unknown) => {
    throw unusable(url, error);
  });
  if (lock === null) throw new OperatorError(`a gateway server, or another move, uses the database ${name}; stop it first`);
  const only = { query: client.query.bind(client), release: () => undefined };
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect: async () => only as unknown as pg.PoolClient, end: () => client.end() } }),
  });
  const during = <T>(what: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explained(error, name, what);
    });
  const run = <Row>(text: string, parameters: readonly unknown[] = [], on: Pick<typeof db, 'executeQuery'> = db) =>
    on.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));

  const target = {
    /** Host, port and database. */
    name,
    columns: () => during('reading the tables', readColumns(db)),
    /** How far each table is, as it was given to `insert`. */
    async progress() {
      const rows = await during('reading the progress', db.selectFrom(markTable).selectAll().where('name', 'like', 'table %').execute());
      return new Map(rows.map((row) => [row.name.slice('table '.length), row.value]));
    },
    /** Removes all rows of these tables, and with them all progress. */
    async clear(tables: readonly string[]) {
      const cleared = db.transaction().execute(async (trx) => {
        await run(`truncate ${tables.map(quoted).join(', ')}`, [], trx);
        await trx.deleteFrom(markTable).where('name', 'like', 'table %').execute();
      });
      await during('emptying the tables', cleared);
    },
    /** Adds rows and notes how far the table is now, both or neither. Throws OperatorError when another move has gone on from `before` meanwhile. */
    async insert(table: string, columns: readonly Column[], rows: readonly SqliteValue[][], before: string | null, after: string) {
      const written = db.transaction().execute(async (trx) => {
        await run(
          insertText(table, columns, rows.length),
          rows.flatMap((row) => columns.map((column, place) => toPostgres(column, row[place] ?? null))),
          trx,
        );
        const key = `table ${table}`;
        if (before === null) {
          await trx.insertInto(markTable).values({ name: key, value: after }).execute();
          return;
        }
        const moved = trx.updateTable(markTable).set({ value: after }).where('name', '=', key).where('value', '=', before);
        const { numUpdatedRows } = await moved.executeTakeFirstOrThrow();
        if (numUpdatedRows !== 1n) throw new OperatorError(`another move into ${name} is under way; wait until one of them has finished`);
      });
      await during(`writing the table ${table}`, written);
    },
    /** The text of the Digest of a table's rows. */
    async digest(table: string, columns: readonly Column[]) {
      const { rows } = await during(`reading the table ${table}`, run<{ digest: string }>(digestQuery(table, columns)));
      return rows[0]?.digest ?? '';
    },
    /** Makes it a database like any other: ids go on behind those that are there, and the planner knows these tables. `meta` is added to that table. */
    async finish(filled: readonly string[], meta: Readonly<Record<string, string>>) {
      const finished = db.transaction().execute(async (trx) => {
        for (const [key, value] of Object.entries(meta)) {
          const added = trx.insertInto('meta').values({ name: key, value });
          await added.onConflict((conflict) => conflict.doNothing()).execute();
        }
        for (const { table, column } of await identities(trx)) {
          await run(
            `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(table)} having count(*) > 0`,
            [quoted(table), column],
            trx,
          );
        }
        for (const table of filled) await run(`analyze ${quoted(table)}`, [], trx);
        await trx.schema.dropTable(markTable).execute();
      });
      await during('finishing', finished);
    },
    async close() {
      await db.destroy();
      await lock.release();
    },
  };
  try {
    await during('connecting', client.connect());
    // Over a slow line a batch takes its time, and counts as received only when all of it is there. A pooler may drop what a session starts with.
    const settings = `select set_config('lock_timeout', $1, false), set_config('idle_in_transaction_session_timeout', '0', false)`;
    await during('connecting', run(settings, [`${lockMs}ms`]));
    // An earlier move that was killed may have a statement under way, which must have ended before its progress is read.
    await during('waiting for an earlier move', run(`select pg_advisory_lock(${moveLock.join(', ')})`));
    await during('looking at the tables', mark(db, identity, name, moved));
    await during('making the tables', migrate(db, 'postgres'));
    return target;
  } catch (error) {
    await client.end().catch(() => undefined);
    await lock.release();
    throw error;
  }
}

interface Tables {
  meta: { name: string; value: string };
  [markTable]: { name: string; value: string };
}

/** Marks the database as this source's, if it is empty or marked so already. `moved`: its error is thrown unless that move into this database has begun. */
async function mark(db: Kysely<Tables>, identity: string, database: string, moved: MovedElsewhere | null): Promise<void> {
  const { rows } = await sql<{ tablename: string }>`select tablename from pg_tables where schemaname = current_schema()`.execute(db);
  const isMarked = rows.some(({ tablename }) => tablename === markTable);
  const marked = isMarked ? await db.selectFrom(markTable).select('value').where('name', '=', 'source').executeTakeFirstOrThrow() : null;
  if (marked?.value === identity && (moved === null || moved.to === database)) return;
  if (moved !== null) throw moved.error;
  if (marked !== null) {
    throw new OperatorError(`the database ${database} holds an unfinished move of another installation; give the address of an empty one`);
  }
  if (rows.length > 0) throw new OperatorError(`the database ${database} is not empty; give the address of an empty one`);
  await db.transaction().execute(async (trx) => {
    await trx.schema
      .createTable(markTable)
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
    await trx.insertInto(markTable).values({ name: 'source', value: identity }).execute();
  });
}

async function readColumns(db: Kysely<Tables>): Promise<Map<string, Column[]>> {
  const { rows } = await sql<{ table: string; name: string; type: string }>`
    select relname as table, attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by relname, attname`.execute(db);
  const tables = new Map<string, Column[]>();
  for (const { table, name, type } of rows) {
    if (table === markTable || migrationTables.includes(table)) continue;
    if (!isColumnType(type)) throw new Error(`it is not known how SQLite holds ${type}, the type of ${table}.${name}`);
    tables.set(table, [...(tables.get(table) ?? []), { name, type }]);
  }
  return tables;
}

/** The columns whose values the database makes by itself. */
async function identities(db: Kysely<Tables>): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and attidentity <> '' and not attisdropped`.execute(db);
  return rows;
}

function insertText(table: string, columns: readonly Column[], rows: number): string {
  const line = (row: number) => `(${columns.map(({ type }, place) => `$${row * columns.length + place + 1}::${type}`).join(', ')})`;
  const lines = Array.from({ length: rows }, (_, row) => line(row)).join(', ');
  // Ids are the source's, also where PostgreSQL would make them.
  return `insert into ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(', ')}) overriding system value values ${lines}`;
}

function explained(error: unknown, database: string, what: string): unknown {
  if (error instanceof OperatorError) return error;
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  if (isUnavailable(error)) {
    return new OperatorError(
      `the database ${database} can no longer be used (${what}: ${reason}); run the command again, and it continues where it stopped`,
    );
  }
  return error instanceof pg.DatabaseError ? new OperatorError(`the database ${database} refuses ${what}: ${reason}`) : error;
}
