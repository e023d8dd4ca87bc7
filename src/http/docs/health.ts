import type { FastifySchema } from 'fastify';

/** The status by which load balancers and monitors stop sending requests; on other endpoints the same trouble is a 502. */
export const unhealthyStatus = 503;

export const healthDocs: FastifySchema = {
  docs: {
    operationId: 'getHealth',
    tag: 'Health',
    summary: 'Service health',
    description:
      'Answers 200 while the service can do its work, and 503 while its storage cannot be read or written (a full disk, a database that is away), ' +
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
  },
};
