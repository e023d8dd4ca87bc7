import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfFiles, type Log } from '../../core/index.ts';
import type { ConnectionLimits } from './limits.ts';
import { createOriginOf } from './origin.ts';

/** How long a stop waits for requests that are already on their way. */
const graceMs = 100;
/** How often a stop looks for connections whose last answer has been sent. */
const sweepMs = 50;

interface Connection {
  readonly socket: Socket;
  /** What it counts for; null: a trusted proxy's. */
  readonly origin: string | null;
  /** The last request that came on it. */
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | null;
  /** Grows with every request of the server: the lower, the longer the connection has asked for nothing. */
  askedAs: number;
}

interface ConnectionsOptions {
  readonly limits: ConnectionLimits;
  /** Addresses and networks of trusted proxies. */
  readonly trustProxy: readonly string[];
  readonly log: Pick<Log, 'error'>;
}

/**
 * Every connection of the server: bounds how many there are, ends those whose client hangs, and ends all of them at a stop. A new client is
 * never refused for the sake of an idle one: at a bound the connection that has waited longest for its client is closed.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #originOf: (address: string) => string | null;
  readonly #all = new Set<Connection>();
  readonly #origins = new Map<string, Set<Connection>>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Until the TLS handshake is over, by the client's address and port. */
  readonly #byEndpoint = new Map<string, Connection>();
  /** The answers of requests that a stop has cut off. */
  #cutOff: ServerResponse[] = [];
  #requests = 0;
  #leaving = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#originOf = createOriginOf(options.trustProxy);
  }

  get limits(): ConnectionLimits {
    return this.#options.limits;
  }

  get open(): number {
    return this.#all.size;
  }

  /** Looks after the connections of this server, whose own time limits must be those of the same `limits`. */
  watch(server: Server): void {
    // An earlier error is of listening itself, which fails with it.
    server.once('listening', () => server.on('error', (error) => this.#cannotAccept(error)));
    server.on('connection', (socket: Socket) => this.#take(socket));
    // Requests name the socket of the TLS layer, which is not the connection's.
    server.on('secureConnection', (socket: Socket) => {
      const connection = this.#byEndpoint.get(endpointOf(socket));
      if (connection !== undefined) this.#bySocket.set(socket, connection);
    });
    server.on('request', (request, response) => {
      const connection = this.#bySocket.get(request.socket);
      if (connection === undefined) return;
      connection.exchange = { request, response };
      if (this.#leaving) response.shouldKeepAlive = false;
      connection.askedAs = ++this.#requests;
    });
    // Nothing has moved on the socket for as long as its phase allows.
    server.on('timeout', (socket: Socket) => {
      const connection = this.#bySocket.get(socket);
      const mayStay = connection !== undefined && (isOurTurn(connection) || (connection.origin === null && isIdle(connection)));
      if (!mayStay) socket.destroy();
    });
  }

  /**
   * Goes on answering for so many milliseconds; each answer says that its connection is used no more, so that none is closed at the moment of
   * another request.
   */
  async leave(ms: number): Promise<void> {
    if (ms === 0) return;
    this.#leaving = true;
    await sleep(ms);
  }

  /**
   * Ends every connection as soon as it has no request under way, and after `stopMs` those that still have one. For a server that is about to
   * close; requests that are already on their way still find their connection open.
   */
  async stop(server: Server): Promise<void> {
    const graceEnd = performance.now() + graceMs;
    // Without a connection no request can be on its way.
    while (this.#all.size > 0 && performance.now() < graceEnd) await sleep(graceMs / 20);
    const { limits, log } = this.#options;
    const endUnused = () => {
      for (const connection of this.#all) if (!isUnderWay(connection)) connection.socket.destroy();
    };
    endUnused();
    const sweep = setInterval(endUnused, sweepMs).unref();
    const cut = setTimeout(() => {
      if (this.#all.size > 0) log.error({ requests: this.#all.size }, 'requests did not end in time and were cut off by the stop');
      for (const { socket, exchange } of this.#all) {
        if (exchange !== null) this.#cutOff.push(exchange.response);
        socket.destroy();
      }
    }, limits.stopMs).unref();
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
  }

  /** Resolves when the work for requests that the stop cut off has ended too. */
  async workEnded(): Promise<void> {
    while (this.#cutOff.some((response) => !response.writableEnded)) await sleep(sweepMs);
  }

  /** Without this, Node ends the process. While there are no descriptors left every accept fails again at once, so a connection that can be spared makes room. */
  #cannotAccept(error: Error): void {
    if (isOutOfFiles(error)) this.#makeRoom(this.#all);
    else this.#options.log.error({ err: error }, 'a connection could not be accepted');
  }

  #take(socket: Socket): void {
    const { altogether, perAddress } = this.#options.limits;
    const origin = this.#originOf(socket.remoteAddress ?? '');
    const neighbours = this.#origins.get(origin ?? '') ?? new Set();
    const hasRoom =
      (origin === null || neighbours.size < perAddress || this.#makeRoom(neighbours)) &&
      (this.#all.size < altogether || this.#makeRoom(this.#all));
    if (!hasRoom) {
      socket.destroy();
      return;
    }
    const connection: Connection = { socket, origin, exchange: null, askedAs: 0 };
    const endpoint = endpointOf(socket);
    this.#all.add(connection);
    this.#bySocket.set(socket, connection);
    this.#byEndpoint.set(endpoint, connection);
    if (origin !== null) this.#origins.set(origin, neighbours.add(connection));
    socket.once('close', () => {
      this.#drop(connection);
      if (this.#byEndpoint.get(endpoint) === connection) this.#byEndpoint.delete(endpoint);
    });
  }

  /** Ends one of these connections that waits for its client, if any does. */
  #makeRoom(among: Iterable<Connection>): boolean {
    const leaving = longestWaiting(among);
    if (leaving === null) return false;
    this.#drop(leaving);
    leaving.socket.destroy();
    return true;
  }

  #drop(connection: Connection): void {
    this.#all.delete(connection);
    if (connection.origin === null) return;
    const neighbours = this.#origins.get(connection.origin);
    neighbours?.delete(connection);
    if (neighbours?.size === 0) this.#origins.delete(connection.origin);
  }
}

function endpointOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** A request has begun and its answer has not been handed over yet. */
function isUnderWay({ exchange }: Connection): boolean {
  return exchange !== null && !exchange.response.writableFinished;
}

/** Everything asked has been answered. */
function isIdle({ exchange }: Connection): boolean {
  return exchange?.response.writableFinished === true && exchange.request.complete;
}

/** Waits for the work on the request, not for its client. */
function isOurTurn(connection: Connection): boolean {
  const { exchange } = connection;
  return exchange?.request.complete === true && isUnderWay(connection) && exchange.request.socket.writableLength === 0;
}

/** The one to close for a new client: one that never asked, the oldest first; then one between requests, then one in the middle of one. */
function longestWaiting(among: Iterable<Connection>): Connection | null {
  let idle: Connection | null = null;
  let stalled: Connection | null = null;
  for (const connection of among) {
    if (connection.exchange === null) return connection;
    if (isIdle(connection)) {
      if (idle === null || connection.askedAs < idle.askedAs) idle = connection;
    } else if (!isOurTurn(connection) && (stalled === null || connection.askedAs < stalled.askedAs)) stalled = connection;
  }
  return idle ?? stalled;
}
