import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { StoreUnavailable, storeUnavailable } from '../../core/index.ts';
import { healthDocs, unhealthyStatus } from '../docs/health.ts';
import { fail, succeed } from '../envelope.ts';
import type { RouteOptions } from '../route-options.ts';

const health = z
  .object({
    status: z.literal('ok').meta({ description: 'Always `ok`.' }),
    version: z.string().meta({ description: 'The version of the program.' }),
  })
  .meta({ id: 'Health', description: 'The service works.' });

/** GET /health: 200 while the service can do its work, 503 while its store cannot be read or written. */
export function healthRoute(server: FastifyInstance, { store, version }: RouteOptions): void {
  server.get<{ Reply: z.output<typeof health> }>('/health', { schema: { data: health, ...healthDocs } }, async (request, reply) => {
    try {
      if (store.writability.trouble !== null) throw store.writability.trouble;
      await store.db.selectFrom('meta').select('name').limit(1).execute();
      return succeed(request, reply, { status: 'ok', version });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const unhealthy = storeUnavailable("The gateway's storage cannot be used right now, so nothing can be sent.");
      return fail(request, reply, unhealthy, unhealthyStatus);
    }
  });
}
