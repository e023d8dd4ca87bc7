import { connect, createServer } from 'node:net';
import { listening } from './listening.ts';

/** One address for several servers of this machine, whose ports are asked for with each connection: they take turns, as behind a load balancer. */
export interface Balancer {
  /** `127.0.0.1:41234`. */
  readonly host: string;
  close(): Promise<void>;
}

/** Starts a balancer of connections, which does not look into what they carry. */
export async function startBalancer(nextPort: () => number): Promise<Balancer> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    // As a transparent balancer does, so that budgets of addresses see each client.
    const localAddress = client.remoteAddress ?? '127.0.0.1';
    const upstream = connect({ port: nextPort(), host: '127.0.0.1', localAddress, allowHalfOpen: true });
    track(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    // A server that has answered what it will not read to its end: the client reads the answer before its connection ends.
    upstream.on('close', () => client.resume().end());
  });
  const { port, track, close } = await listening(server);
  return { host: `127.0.0.1:${port}`, close };
}
