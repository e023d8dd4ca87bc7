import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several servers of this machine, whose ports are asked for with each connection: they take turns, as behind a load balancer. */
export interface Balancer {
  /** `127.0.0.1:41234`. */
  readonly host: string;
  close(): Promise<void>;
}

/** Starts a balancer of connections, which does not look into what they carry. */
export async function startBalancer(nextPort: () => number): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    // As a transparent balancer does, so that budgets of addresses see each client.
    const localAddress = client.remoteAddress ?? '127.0.0.1';
    const upstream = connect({ port: nextPort(), host: '127.0.0.1', localAddress, allowHalfOpen: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream);
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    // A server that has answered what it will not read to its end: the client reads the answer before its connection ends.
    upstream.on('close', () => client.resume().end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
