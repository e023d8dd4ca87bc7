import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { OperatorError, type RedisAddress, readRedisUrl, redisUrlRule } from '../../core/index.ts';

/** How long everything may take, in milliseconds. */
interface Bounds {
  /** To reach the server, TLS included. */
  readonly connectMs: number;
  /** For the answer to a command, from when it was sent. */
  readonly commandMs: number;
  /** How long to wait for any sign of life while an answer is due; after that the connection counts as broken. */
  readonly silenceMs: number;
  /** Each connection asks for a sign of life this often, since one that only listens would never notice that it is broken. */
  readonly heartbeatMs: number;
  /** The longest pause before the server is tried again. */
  readonly mostBackoffMs: number;
}

const defaultBounds: Bounds = { connectMs: 5000, commandMs: 2000, silenceMs: 3000, heartbeatMs: 1000, mostBackoffMs: 2000 };
const leastBackoffMs = 50;
const closeMs = 1000;
/** How long the end of a connection is waited for before it is broken off. */
const endMs = 500;

interface OpenOptions {
  readonly log: Logger;
  readonly random?: () => number;
  readonly bounds?: Partial<Bounds>;
}

export interface RedisConnection {
  readonly commands: Redis;
  /** Listens to channels. Nobody but the broadcast subscribes. */
  readonly subscriptions: Redis;
  /** Whether both connections work. While not, a command fails at once; nothing is kept to be sent later. */
  readonly up: boolean;
  onChange(listener: (up: boolean) => void): void;
  close(): Promise<void>;
}

/**
 * Connects to the Redis server at REDIS_URL. Once connected it reconnects by itself, however long the server is down. Throws OperatorError
 * for a bad address, and when the server cannot be used now.
 */
export async function openRedis(url: string, options: OpenOptions): Promise<RedisConnection> {
  const { log, random = Math.random } = options;
  const bounds = { ...defaultBounds, ...options.bounds };
  const address = readRedisUrl(url);
  if (address === null) throw new OperatorError(`REDIS_URL ${redisUrlRule}`);
  const settings = settingsOf(address, bounds, random);
  const commands = new Redis(settings);
  const subscriptions = new Redis(settings);
  const clients = [commands, subscriptions];
  const listeners: ((up: boolean) => void)[] = [];
  let lastError: Error | null = null;
  let up = false;
  let closing = false;

  const look = () => {
    const now = !closing && clients.every(({ status }) => status === 'ready');
    if (now === up) return;
    up = now;
    if (up) log.info({ redis: address.shown }, 'Redis can be used');
    else if (!closing) log.warn({ redis: address.shown, err: lastError }, 'Redis cannot be used');
    for (const listener of listeners) listener(up);
  };
  for (const client of clients) {
    client.on('error', (error: Error) => {
      lastError = error;
      log.debug({ err: error, redis: address.shown }, 'a connection to Redis failed');
    });
    for (const event of ['ready', 'close', 'end', 'reconnecting']) client.on(event, look);
  }

  const heartbeat = setInterval(() => {
    for (const client of clients) {
      // Its silence breaks the connection, which is logged then.
      if (client.status === 'ready') client.ping().catch(() => undefined);
    }
  }, bounds.heartbeatMs);
  heartbeat.unref();

  const close = async () => {
    closing = true;
    clearInterval(heartbeat);
    await Promise.all(clients.map(disconnect));
    look();
  };

  try {
    await Promise.all(clients.map((client) => client.connect()));
    // The library goes on with database 0 when the server has no such database.
    if (address.db !== 0 && lastError !== null) throw lastError;
  } catch (error) {
    await close();
    throw new OperatorError(`Redis at ${address.shown} (REDIS_URL) ${complaint(lastError ?? error, address)}`);
  }
  look();
  return {
    commands,
    subscriptions,
    get up() {
      return up;
    },
    onChange: (listener) => void listeners.push(listener),
    close,
  };
}

function settingsOf(address: RedisAddress, bounds: Bounds, random: () => number) {
  const { host, port, username, password, db } = address;
  return {
    host,
    port,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    Connector: connectorTo(address),
    // Has the library wait for the end of the handshake.
    ...(address.tls ? { tls: {} } : {}),
    connectionName: 'messaging-gateway',
    lazyConnect: true,
    connectTimeout: bounds.connectMs,
    commandTimeout: bounds.commandMs,
    socketTimeout: bounds.silenceMs,
    // Full jitter, so that the nodes of an installation do not come back all at once.
    retryStrategy: (attempt) => leastBackoffMs + random() * Math.min(bounds.mostBackoffMs, leastBackoffMs * 2 ** attempt),
    // Commands under way when a connection breaks fail; they are not repeated without the caller's knowledge.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The library does not look at whether this succeeds; the broadcast does it.
    autoResubscribe: false,
  } satisfies RedisOptions;
}

async function disconnect(client: Redis): Promise<void> {
  // Between two attempts there is nothing to wait for.
  const open = !['wait', 'reconnecting', 'end'].includes(client.status);
  const ended = open ? once(client, 'end', { signal: AbortSignal.timeout(closeMs) }).catch(() => undefined) : undefined;
  client.disconnect();
  await ended;
}

/** The reason in words for the person who set REDIS_URL. */
function complaint(error: unknown, { tls, db }: RedisAddress): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(WRONGPASS|NOAUTH)/.test(text)) return 'refuses the user or password; correct REDIS_URL';
  if (/DB index/i.test(text)) return `has no database ${db}; correct REDIS_URL`;
  if (/CERT|SELF_SIGNED|TLS|SSL|EPROTO/.test(code)) return `cannot be reached over TLS: ${text}`;
  const hint = tls ? '' : ' (if it wants TLS, REDIS_URL begins with rediss://)';
  return `cannot be reached: ${code !== '' && text === '' ? code : text}; start it or correct REDIS_URL${hint}`;
}

/**
 * The kind of connection that a client makes to this address. The library's own listens to the first error of a connection alone; TLS may
 * report a second one while it ends, which would end the process.
 */
function connectorTo({ host, port, tls }: RedisAddress) {
  // Node does not say the name by itself, and what serves several names needs it.
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return class Connector extends AbstractConnector {
    constructor() {
      super(endMs);
    }

    override async connect(): Promise<Socket> {
      const stream = tls ? connectTls({ host, port, ...servername }) : connectPlain({ host, port });
      stream.on('error', (error) => {
        this.firstError ??= error;
      });
      this.connecting = true;
      this.stream = stream;
      return stream;
    }
  };
}
