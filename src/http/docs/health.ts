import type { FastifySchema } from 'fastify';
import type { NotReadyReason } from '../readiness.ts';

/** The status by which load balancers and monitors stop sending requests; on other endpoints the same trouble is a 502. */
export const unhealthyStatus = 503;

/** What each reason means. */
export const notReadyMessages: Readonly<Record<NotReadyReason, string>> = {
  starting: 'This server is still starting.',
  stopping: 'This server is stopping.',
  draining: 'This server is handing its numbers to others, as it was told to.',
  no_lease: 'This server has lost its right to connect numbers and is about to ask for it again.',
};

export const readyDocs: FastifySchema = {
  docs: {
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
  },
};

export const healthDocs: FastifySchema = {
  docs: {
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
  },
};
