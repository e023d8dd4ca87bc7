import pg from 'pg';
import { OperatorError } from '../../core/index.ts';

const connectTimeoutMs = 5_000;
/** After which the server gives a statement up. */
export const statementTimeoutMs = 15_000;
// For a server that does not even answer that the statement took too long.
const answerTimeoutMs = statementTimeoutMs + 5_000;

/** What a connection is for, beyond the database it goes to. */
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
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: patience,
    ...(patience === 0 ? {} : { query_timeout: answerTimeoutMs }),
    keepAlive: true,
    types,
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
  };
}

/** A pool of connections that survives the server's death: what is lost is opened anew for the next statement. */
export function createPool(url: string, size: number, options: ConnectionOptions & { readonly idleTimeoutMs?: number } = {}): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(url, options), max: size, idleTimeoutMillis: options.idleTimeoutMs ?? 30_000 });
  // Whoever waits for an answer gets the error; without listeners the same error would also end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  // A connection given back while its statement hangs would make the next user wait for that statement.
  pool.on('release', (_error, client) => {
    if ((client as { readyForQuery?: boolean }).readyForQuery === false) void client.end().catch(() => undefined);
  });
  return pool;
}

/** The error of a database that cannot be used, as one line for the operator, without the password. */
export function unusable(url: string, error: unknown): OperatorError {
  return new OperatorError(
    `cannot use the PostgreSQL database ${describe(url)}: ${reasonOf(error)}; check DATABASE_URL and that the server runs`,
  );
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
