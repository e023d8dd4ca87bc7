import type { FastifySchema } from 'fastify';
import { ref } from './schemas.ts';

export const healthDocs: FastifySchema = {
  docs: {
    operationId: 'getHealth',
    tag: 'Health',
    summary: 'Service health',
    description: 'Answers 200 while the service can do its work, for load balancers and monitors. Needs no key.',
    errors: ['internal_error'],
    success: 'The service works.',
    data: ref('Health'),
    results: { ok: { summary: 'Works', value: { status: 'ok', version: '1.0.0' } } },
  },
};
