import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GatewayError, StoreUnavailable, storeUnavailable } from '../../core/index.ts';
import { healthDocs, notReadyMessages, readyDocs, unhealthyStatus } from '../docs/health.ts';
import { fail, succeed } from '../envelope.ts';
import { degradations } from '../readiness.ts';
import type { RouteOptions } from '../route-options.ts';

const health = z
  .object({
    status: z.literal('ok').meta({ description: 'Always `ok`.' }),
    version: z.string().meta({ description: 'The version of the program.' }),
    degraded: z.array(z.enum(degradations)).optional().meta({
      description:
        'What works only in part; absent when everything works. `redis`: Redis does not answer, so each server counts its own share of the rate limits.',
    }),
  })
  .meta({ id: 'Health', description: 'The service works.' });

/**
 * GET /health: 200 while the service can do its work, 503 while its store cannot be read or written. GET /health/ready: the same, and 503 also
 * while this server should get no requests although it works.
 */
export function healthRoutes(server: FastifyInstance, { store, version, readiness }: RouteOptions): void {
  server.get<{ Reply: z.output<typeof health> }>('/health', { schema: { data: health, ...healthDocs } }, answer);

  server.get<{ Reply: z.output<typeof health> }>('/health/ready', { schema: { data: health, ...readyDocs } }, async (request, reply) => {
    const reason = readiness.notReady();
    if (reason === null) return answer(request, reply);
    return fail(request, reply, new GatewayError('upstream_unavailable', notReadyMessages[reason], { reason }), unhealthyStatus);
  });

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    try {
      if (store.writability.trouble !== null) throw store.writability.trouble;
      await store.db.selectFrom('meta').select('name').limit(1).execute();
      const degraded = readiness.degraded();
      return succeed(request, reply, { status: 'ok', version, ...(degraded.length === 0 ? {} : { degraded }) });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      const unhealthy = storeUnavailable("The gateway's storage cannot be used right now, so nothing can be sent.");
      return fail(request, reply, unhealthy, unhealthyStatus);
    }
  }
}
