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
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let whole = true;
  let swallowing = false;
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
    client.pipe(upstream);
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
