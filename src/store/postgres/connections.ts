import pg from 'pg';
import { OperatorError, StoreUnavailable } from '../../core/index.ts';
import { isGivenUp, isPoolFull, isReadOnly, isUnavailable } from './faults.ts';

const connectTimeoutMs = 5_000;
/** The server cancels a statement after this time. */
export const statementTimeoutMs = 15_000;
// For a server that does not even answer that the statement took too long.
const answerTimeoutMs = statementTimeoutMs + 5_000;

/**
 * What the promises rest on, in every session, whatever the database, its role or its server have as defaults: an answered commit is on the
 * disk, a statement sees what was committed before it began, and a server that vanishes keeps its locks for no longer than its lease.
 */
const promised = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  TimeZone: 'UTC',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '5s',
} as const;

/** PostgreSQL ends a session, with its locks, whose machine has not answered for 25 seconds. Over a Unix socket they read as 0. */
const keepalives = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
} as const;

export interface ConnectionOptions {
  /** Milliseconds after which the server gives a statement up; 0: never. Default 15 s. */
  readonly statementTimeoutMs?: number;
  /** Server settings of the session. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly name?: string;
}

/** The settings of every connection to the database of the URL. */
export function connectionConfig(url: string, options: ConnectionOptions = {}): pg.ClientConfig {
  const { name = 'messaging-gateway', settings = {} } = options;
  const patience = options.statementTimeoutMs ?? statementTimeoutMs;
  const own = {
    application_name: name,
    statement_timeout: patience,
    ...(patience === 0 ? {} : { query_timeout: answerTimeoutMs }),
  };
  const { rest, theirs } = withoutOptions(url, Object.keys(own));
  // What comes last in the options counts. As part of the session's start they come before those of ALTER DATABASE and ALTER ROLE.
  const ours = Object.entries({ ...promised, ...keepalives, ...settings }).map(
    ([setting, value]) => `-c ${setting}=${value.replaceAll(' ', '\\ ')}`,
  );
  return {
    ...own,
    connectionString: rest,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
    options: [theirs, ...ours].join(' ').trim(),
  };
}

/** The URL without its options and these other parameters: what a URL has counts for more than what is given beside it. */
function withoutOptions(url: string, names: readonly string[]): { readonly rest: string; readonly theirs: string } {
  if (!URL.canParse(url)) return { rest: url, theirs: '' };
  const parsed = new URL(url);
  const theirs = parsed.searchParams.get('options') ?? '';
  const unwanted = ['options', ...names].filter((name) => parsed.searchParams.has(name));
  // Unless there is something to take out, it stays letter by letter as it is.
  if (unwanted.length === 0) return { rest: url, theirs };
  for (const name of unwanted) parsed.searchParams.delete(name);
  return { rest: parsed.href, theirs };
}

/**
 * Throws OperatorError when sessions do not have the settings they asked for: a pooler between here and PostgreSQL keeps them back.
 */
export async function requirePromised(pool: Pool, url: string): Promise<void> {
  const client = await pool.connect();
  try {
    const wanted = Object.entries(promised);
    const { rows } = await client.query<{ name: string; value: string }>(
      'select name, current_setting(name) as value from unnest($1::text[]) as name',
      [wanted.map(([name]) => name)],
    );
    const values = new Map(rows.map(({ name, value }) => [name, value]));
    const missing = wanted.filter(([name, value]) => values.get(name) !== value).map(([name]) => name);
    if (missing.length === 0) return;
    throw new OperatorError(
      `the PostgreSQL database ${describe(url)} does not give sessions the settings they start with (${missing.join(', ')}); a pooler in between must pass the parameter "options" on or be left out, or the role must have them (ALTER ROLE … SET …)`,
    );
  } finally {
    client.release();
  }
}

/**
 * Throws OperatorError when sessions share connections, as behind a pooler that gives them one for each transaction: locks of one session would be
 * another's too, and prepared statements somewhere else.
 */
export async function requireOwnSessions(pool: Pool, url: string): Promise<void> {
  const backendOf = async (client: Client) => (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const one = await pool.connect();
  try {
    const first = await backendOf(one);
    const other = await pool.connect();
    const between = await backendOf(other).finally(() => other.release());
    if (first !== between && first === (await backendOf(one))) return;
    throw new OperatorError(
      `the PostgreSQL database ${describe(url)} does not give each session a connection of its own; a pooler in between must pool by session (PgBouncer: pool_mode=session), or be left out`,
    );
  } finally {
    one.release();
  }
}

export type Client = Pick<pg.PoolClient, 'query' | 'release'>;

export interface Pool {
  connect(): Promise<Client>;
  end(): Promise<void>;
}

interface PoolOptions extends ConnectionOptions {
  readonly idleTimeoutMs?: number;
  /** Whether all its connections may be in use for long while the database works. */
  readonly mayBeFull?: boolean;
  /** Called each time the database turns out to be away or unable to work; `alone`: for this caller only. */
  readonly failed?: (error: StoreUnavailable, alone: boolean) => void;
}

/**
 * A pool of connections that survives the server's death: a lost one is replaced for the next statement. When a write is refused as read-only, all
 * connections made before are replaced, because they may lead to a standby. Statements throw StoreUnavailable while the database is down or unable
 * to work.
 */
export function createPool(url: string, size: number, options: PoolOptions = {}): Pool {
  const pool = new pg.Pool({ ...connectionConfig(url, options), max: size, idleTimeoutMillis: options.idleTimeoutMs ?? 30_000 });
  // The statement that waits for an answer fails with the error; without a listener the same error would also end the process.
  pool.on('error', () => undefined);
  /** Why a connection ended while nothing was asked of it; what is asked next only says that it has. */
  const ended = new WeakMap<pg.PoolClient, unknown>();
  // Its end is an error of its own, which knows of no reason.
  pool.on('connect', (client) => client.once('error', (error) => ended.set(client, error)).on('error', () => undefined));
  // A connection given back while its statement hangs would make the next user wait for that statement.
  pool.on('release', (_error, client) => {
    if ((client as { readyForQuery?: boolean }).readyForQuery === false) void client.end().catch(() => undefined);
  });

  const explain = (error: unknown): never => {
    if (!isUnavailable(error)) throw error;
    const alone = isGivenUp(error) || (options.mayBeFull === true && isPoolFull(error));
    const message = alone ? tookTooLong(url, error) : unusable(url, error).message;
    const unavailable = new StoreUnavailable(message, { cause: error });
    options.failed?.(unavailable, alone);
    throw unavailable;
  };
  /** How many writes were refused as read-only; a connection is old when there was one since it was made. */
  let refusals = 0;
  // Kysely recognises its connections by their clients.
  const clients = new WeakMap<pg.PoolClient, Client & { isOld(): boolean }>();
  const wrap = (client: pg.PoolClient) => {
    const before = refusals;
    const isOld = () => before !== refusals;
    const query = (...words: Parameters<Client['query']>) =>
      // Only the forms that return a promise are used.
      (client.query(...words) as unknown as Promise<unknown>).catch((error: unknown) => {
        if (isReadOnly(error) && !isOld()) refusals++;
        return explain(isGivenUp(ended.get(client)) ? ended.get(client) : error);
      });
    const release: Client['release'] = (destroy) => client.release(destroy || isOld());
    const known = { query: query as unknown as Client['query'], release, isOld };
    clients.set(client, known);
    return known;
  };
  return {
    async connect() {
      for (;;) {
        const client = await pool.connect().catch(explain);
        const known = clients.get(client) ?? wrap(client);
        if (!known.isOld()) return known;
        known.release();
      }
    },
    end: () => pool.end(),
  };
}

/** The error of a database that cannot be used, as one line for the operator, without the password. */
export function unusable(url: string, error: unknown): OperatorError {
  return new OperatorError(
    `cannot use the PostgreSQL database ${describe(url)}: ${reasonOf(error)}; check DATABASE_URL and that the server runs`,
  );
}

function tookTooLong(url: string, error: unknown): string {
  return `one call of the PostgreSQL database ${describe(url)} took too long, and others go on: ${reasonOf(error)}`;
}

/** Host, port and database of a URL. Throws OperatorError when it is none. */
export function describe(url: string): string {
  if (!URL.canParse(url)) throw new OperatorError('DATABASE_URL is not a URL; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  const { host, pathname, username } = new URL(url);
  return `${host || 'localhost'}${pathname === '/' || pathname === '' ? `/${username}` : pathname}`;
}

function reasonOf(error: unknown): string {
  // A host with several addresses gives one error per address and none of its own.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] || 'no reason given';
}

const int8 = 20;
const numeric = 1700;

// The embedded store gives numbers where PostgreSQL gives 64-bit integers and sums as text; times and counts fit a number.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format !== 'binary' && (oid === int8 || oid === numeric) ? Number : pg.types.getTypeParser(oid, format)),
};
