import type { FastifyInstance } from 'fastify';
import { healthDocs } from '../docs/health.ts';
import { succeed } from '../envelope.ts';
import type { RouteWorld } from '../route-world.ts';

/** GET /health: 200 while the service can do its work, 500 when its store does not answer. */
export function healthRoute(server: FastifyInstance, { store, version }: RouteWorld): void {
  server.get('/health', { schema: healthDocs }, async (request, reply) => {
    await store.db.selectFrom('meta').select('name').limit(1).execute();
    return succeed(request, reply, { status: 'ok', version });
  });
}
