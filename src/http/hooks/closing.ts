import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from '../connections/connections.ts';

/** How long requests that are already on their way still find their connection open. */
const graceMs = 100;
const lookMs = 5;

/** Lets a stop end every connection without cutting off a request. While the server closes, Fastify answers with `Connection: close`. */
export function registerClosing(server: FastifyInstance, connections: Connections): void {
  server.addHook('preClose', async () => {
    const end = performance.now() + graceMs;
    // Without a connection no request can be on its way.
    while (connections.open > 0 && performance.now() < end) await sleep(lookMs);
    connections.stop(server.server);
  });
}
