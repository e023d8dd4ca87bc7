import type { Connection, RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { OperatorError } from '../core/index.ts';
import { Unusable } from './found.ts';
import type { Driver, Row } from './peer-driver.ts';
import { openSqlite } from './peer-sqlite.ts';

/** The database of another program. It is only read. Table and column names are constants of ours. */
export interface PeerDatabase {
  /** When its file was last changed (epoch milliseconds); null when that is not known. */
  readonly usedAt: number | null;
  /** Changes when somebody writes, as far as that can be seen. */
  stamp(): Promise<string>;
  /** Whether somebody else has been seen to be connected since it was opened: what they wrote is not seen. */
  wasUsed(): Promise<boolean>;
  rows(sql: string): Promise<Row[]>;
  /** The rows of a table with this value; none when there is no such table. Throws Unusable when they are too many. */
  rowsOf(table: string, column: string, value: string): Promise<Row[]>;
  /** The rows of a table with one of these values in one of these columns, some of them twice. Throws Unusable when they are too many. */
  rowsWith(table: string, columns: readonly string[], values: readonly string[]): Promise<Row[]>;
  /** How many rows of a table are of this device; 0 when there is no such table. */
  count(table: string, jid: string): Promise<number>;
  /** Whether there is a table with these columns. */
  has(table: string, columns: readonly string[]): Promise<boolean>;
  close(): Promise<void>;
}

const mostRows = 500_000;
/** So many values fit into one statement of every kind. */
const valuesAtOnce = 500;
const connectMs = 10_000;
const answerMs = 60_000;

/** Opens a SQLite file or, by its URL, a PostgreSQL, MySQL or MariaDB database that has this table. Throws OperatorError. */
export async function openDatabase(place: string, table: string): Promise<PeerDatabase> {
  const driver = await openDriver(place);
  let used = false;
  const limited = async (refusal: Error, sql: string, values: readonly string[] = []) => {
    const rows = await driver.run(`${sql} limit ${mostRows + 1}`, values);
    if (rows.length > mostRows) throw refusal;
    return rows;
  };
  const tooMany = (name: string) => new Unusable(`has more than ${mostRows} rows in ${name}`);
  const known = new Map<string, readonly string[]>();
  const has = async (name: string, columns: readonly string[]) => {
    const there = known.get(name) ?? (await driver.columns(name));
    known.set(name, there);
    return there.length > 0 && columns.every((column) => there.includes(column));
  };
  const database: PeerDatabase = {
    usedAt: driver.usedAt,
    stamp: () => driver.stamp(),
    wasUsed: async () => {
      used ||= await driver.isUsed();
      return used;
    },
    rows: (sql) => limited(new OperatorError(`a table of the database has more than ${mostRows} rows`), sql),
    async rowsOf(name, column, value) {
      if (!(await has(name, [column]))) return [];
      return limited(tooMany(name), `select * from ${name} where ${column} = ?`, [value]);
    },
    async rowsWith(name, columns, values) {
      const rows: Row[] = [];
      for (let from = 0; from < values.length; from += valuesAtOnce) {
        const part = values.slice(from, from + valuesAtOnce);
        const isOneOf = `in (${part.map(() => '?').join()})`;
        const sql = `select * from ${name} where ${columns.map((column) => `${column} ${isOneOf}`).join(' or ')}`;
        const found = await limited(
          tooMany(name),
          sql,
          columns.flatMap(() => part),
        );
        for (const row of found) rows.push(row);
      }
      return rows;
    },
    async count(name, jid) {
      if (!(await has(name, ['our_jid']))) return 0;
      const [row] = await driver.run(`select count(*) as n from ${name} where our_jid = ?`, [jid]);
      return Number(row?.n ?? 0);
    },
    has,
    close: () => driver.close(),
  };
  try {
    // At once, because somebody who is connected may leave while the rest is opened.
    await database.wasUsed();
    if (await database.has(table, [])) return database;
    throw new OperatorError(`the database has no table ${table}`);
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openDriver(place: string): Promise<Driver> {
  if (/^postgres(ql)?:\/\//.test(place)) return openPostgres(place);
  return /^mysql:\/\//.test(place) ? openMysql(place) : openSqlite(place);
}

async function openPostgres(url: string): Promise<Driver> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    statement_timeout: answerMs,
    application_name: 'gateway import',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    // As Prisma names it in its URLs.
    const schema = new URL(url).searchParams.get('schema');
    if (schema !== null) await client.query("select set_config('search_path', $1, true)", [`"${schema.replaceAll('"', '')}"`]);
  } catch {
    await client.end().catch(() => undefined);
    // What the driver says may hold the password.
    throw new OperatorError('the PostgreSQL database cannot be reached with this URL');
  }
  const run = async (sql: string, values: readonly string[] = []): Promise<Row[]> => {
    let at = 0;
    const numbered = sql.replaceAll('?', () => `$${++at}`);
    return (await client.query<Row>(numbered, [...values])).rows;
  };
  return {
    usedAt: null,
    run,
    columns: async (table) => {
      const rows = await run(
        'select column_name from information_schema.columns where table_schema = any(current_schemas(false)) and table_name = ?',
        [table],
      );
      return rows.map(({ column_name }) => String(column_name));
    },
    // One transaction sees one state.
    stamp: async () => '',
    async isUsed() {
      // Otherwise a transaction sees what it has seen first.
      await run('select pg_stat_clear_snapshot()');
      // Of the session of a role that it may not look at, PostgreSQL does not say what it is: then it may be a program.
      const isClient = "usesysid is not null and (backend_type is null or backend_type = 'client backend')";
      const others = `datname = current_database() and pid <> pg_backend_pid() and ${isClient}`;
      return (await run(`select 1 from pg_stat_activity where ${others} limit 1`)).length > 0;
    },
    close: () => client.end(),
  };
}

async function openMysql(url: string): Promise<Driver> {
  let client: Connection | null = null;
  try {
    client = await connectMysql(new URL(url));
    // Names in double quotes, as in the other databases.
    await client.query("set session sql_mode = 'ANSI_QUOTES'");
    await client.query('set session transaction isolation level repeatable read');
    await client.query('start transaction with consistent snapshot, read only');
  } catch {
    client?.destroy();
    // What the driver says may hold the password.
    throw new OperatorError('the MySQL database cannot be reached with this URL');
  }
  const connection = client;
  const run = async (sql: string, values: readonly string[] = []): Promise<Row[]> => {
    const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout: answerMs, values: [...values] });
    return rows;
  };
  return {
    usedAt: null,
    run,
    async columns(table) {
      const columns = 'information_schema.columns where table_schema = database() and table_name = ?';
      // Without a name of its own the column is called in capitals by MySQL 8.
      return (await run(`select column_name as name from ${columns}`, [table])).map(({ name }) => String(name));
    },
    // One transaction sees one state.
    stamp: async () => '',
    async isUsed() {
      const [own] = await run('select connection_id() as id, database() as name');
      // Without the privilege PROCESS it shows the connections of the same user.
      const connections = await run('show processlist');
      return connections.some(({ Id, db }) => db === own?.name && Number(Id) !== Number(own?.id));
    },
    close: () => connection.end(),
  };
}

async function connectMysql({ hostname, port, username, password, pathname, searchParams }: URL): Promise<Connection> {
  const { createConnection } = await import('mysql2/promise');
  // As Prisma names it in its URLs. Of the driver's own options the URL sets none.
  const tls = searchParams.get('sslaccept');
  const client = await createConnection({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    connectTimeout: connectMs,
    ...(tls === null ? {} : { ssl: { rejectUnauthorized: tls === 'strict' } }),
    // The server can ask for no file of this machine, and the names of its columns become no code.
    flags: ['-LOCAL_FILES'],
    disableEval: true,
  });
  client.on('error', () => undefined);
  return client;
}
