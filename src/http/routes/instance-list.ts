import type { FastifyInstance } from 'fastify';
import { listDocs } from '../docs/instances.ts';
import { succeedWithList } from '../envelope.ts';
import { instanceView } from '../instance-view.ts';
import type { RouteWorld } from '../route-world.ts';

/** GET /v1/instances: the account's numbers, oldest first; no side effects. */
export function instanceListRoute(server: FastifyInstance, world: RouteWorld): void {
  server.get(
    '/v1/instances',
    { schema: listDocs, onRequest: world.admission({ scope: 'instances', planRequired: false, callers: 'both' }) },
    (request, reply) =>
      succeedWithList(request, reply, 'instances', {
        items: world.sessions.ofAccount(request.admission.accountId),
        view: instanceView,
      }),
  );
}
