import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** How long requests that are already on their way still find their connection open. */
const graceMs = 100;
const sweepMs = 50;

/**
 * Lets a stop end every connection without cutting off a request. While the server closes, Fastify answers with `Connection: close`; what
 * was asked before is answered without it, so connections that fall idle afterwards are looked for and ended.
 */
export function registerClosing(server: FastifyInstance): void {
  server.addHook('preClose', async () => {
    await sleep(graceMs);
    const sweep = setInterval(() => server.server.closeIdleConnections(), sweepMs).unref();
    server.server.once('close', () => clearInterval(sweep));
  });
}
