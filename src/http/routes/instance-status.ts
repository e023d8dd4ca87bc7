import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../../core/index.ts';
import { stateOf } from '../../sessions/index.ts';
import { statusDocs } from '../docs/instances.ts';
import { succeed } from '../envelope.ts';
import { type Instance, instance, instanceView, ownInstance, refuseConflict } from '../instance-view.ts';
import type { RouteOptions } from '../route-options.ts';

/** GET /v1/instances/{id}/status: the live state, after one check at the network. */
export function instanceStatusRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get<{ Params: { id: string }; Reply: Instance }>(
    '/v1/instances/:id/status',
    {
      config: { atOwner: 'path' },
      schema: { data: instance, ...statusDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both', readOnly: true }),
    },
    async (request, reply) => {
      const session = ownInstance(options, request);
      refuseConflict(session);
      if (!(await session.probe())) {
        throw new GatewayError(
          'upstream_unavailable',
          'The state could not be determined: the network did not answer the live check in time.',
        );
      }
      return succeed(request, reply, instanceView(stateOf(session)));
    },
  );
}
