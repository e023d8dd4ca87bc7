import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can be cut and blocked. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections, and every new one at once. */
  cut(): void;
  /** Lets connections through again. */
  mend(): void;
  /** From now on answers of the server are swallowed, on connections that stay open. */
  swallowAnswers(): void;
  /** How many bytes clients have sent. */
  readonly sent: number;
  /** Lets so many more bytes of clients through and then none; resolves when it comes to that. Mended by `mend`, for new connections. */
  haltAfter(bytes: number): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let whole = true;
  let swallowing = false;
  let sent = 0;
  let halt: { at: number; reached: () => void } | null = null;
  const server = createServer((client) => {
    if (!whole) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      const passing = halt === null ? chunk : chunk.subarray(0, Math.max(0, halt.at - sent));
      sent += passing.length;
      if (!upstream.write(passing)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
      if (passing.length < chunk.length) halt?.reached();
    });
    upstream.on('data', (chunk) => void (swallowing || client.write(chunk)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut() {
      whole = false;
      breakAll();
    },
    mend() {
      whole = true;
      swallowing = false;
      halt = null;
    },
    get sent() {
      return sent;
    },
    haltAfter(bytes) {
      const { promise, resolve: reached } = Promise.withResolvers<void>();
      halt = { at: sent + bytes, reached };
      return promise;
    },
    swallowAnswers() {
      swallowing = true;
    },
    async close() {
      whole = false;
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
}
