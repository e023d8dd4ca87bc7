import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Connections } from '../connections/index.ts';

/** How long requests that are already on their way still find their connection open. */
const graceMs = 100;

/** Lets a stop end every connection without cutting off a request. While the server closes, Fastify answers with `Connection: close`. */
export function registerClosing(server: FastifyInstance, connections: Connections): void {
  server.addHook('preClose', async () => {
    await sleep(graceMs);
    connections.stop(server.server);
  });
}
