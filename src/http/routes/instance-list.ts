import type { FastifyInstance } from 'fastify';
import { listDocs } from '../docs/instances.ts';
import { succeedWithList } from '../envelope.ts';
import { instanceView } from '../instance-view.ts';
import type { RouteOptions } from '../route-options.ts';

/** GET /v1/instances: the account's numbers, oldest first; no side effects. */
export function instanceListRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get(
    '/v1/instances',
    { schema: listDocs, onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both' }) },
    (request, reply) =>
      succeedWithList(request, reply, 'instances', {
        items: options.sessions.ofAccount(request.admission.accountId),
        view: instanceView,
      }),
  );
}
