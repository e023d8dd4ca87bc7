import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GatewayError, StoreUnavailable, storeUnavailable } from '../../core/index.ts';
import type { OperationDocs } from '../docs/operation.ts';
import { fail, succeed } from '../envelope.ts';
import { degradations, type NotReadyReason, type RouteOptions } from '../route-options.ts';

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

/** The status by which load balancers and monitors stop sending requests; on other endpoints the same trouble is a 502. */
const unhealthyStatus = 503;

const notReadyMessages: Readonly<Record<NotReadyReason, string>> = {
  starting: 'This server is still starting.',
  stopping: 'This server is stopping.',
  draining: 'This server is handing its numbers to others, as it was told to.',
  no_lease: 'This server has lost its right to connect numbers and is about to ask for it again.',
};

const readyDocs: OperationDocs = {
  operationId: 'getReadiness',
  tag: 'Health',
  summary: 'Readiness of one server',
  description:
    'Answers 200 while this server should get requests, and 503 while others should: its storage cannot be used (`details.reason` is ' +
    '`store_unavailable`), it is `starting`, `stopping` or `draining`, or it has lost its right to connect numbers (`no_lease`). ' +
    'For load balancers and readiness probes. Needs no key.',
  errors: ['internal_error', 'upstream_unavailable'],
  statuses: { upstream_unavailable: unhealthyStatus },
  errorExamples: { upstream_unavailable: { message: notReadyMessages.draining, details: { reason: 'draining' } } },
  success: 'This server should get requests.',
  results: { ok: { summary: 'Ready', value: { status: 'ok', version: '1.0.0' } } },
};

const healthDocs: OperationDocs = {
  operationId: 'getHealth',
  tag: 'Health',
  summary: 'Service health',
  description:
    'Answers 200 while the service can do its work, and 503 while its storage cannot be read or written (a full disk, a database that is down), ' +
    'for load balancers and monitors. Needs no key.',
  errors: ['internal_error', 'upstream_unavailable'],
  statuses: { upstream_unavailable: unhealthyStatus },
  errorExamples: {
    upstream_unavailable: {
      message: "The gateway's storage cannot be used right now, so nothing can be sent.",
      details: { reason: 'store_unavailable' },
    },
  },
  success: 'The service works.',
  results: { ok: { summary: 'Works', value: { status: 'ok', version: '1.0.0' } } },
};

/**
 * GET /health: 200 while the service can do its work, 503 while its store cannot be read or written. GET /health/ready: the same, and 503 also
 * while this server should get no requests although it works.
 */
export function healthRoutes(server: FastifyInstance, { store, version, readiness }: RouteOptions): void {
  server.get<{ Reply: z.output<typeof health> }>('/health', { schema: { data: health, docs: healthDocs } }, answer);

  server.get<{ Reply: z.output<typeof health> }>('/health/ready', { schema: { data: health, docs: readyDocs } }, async (request, reply) => {
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
