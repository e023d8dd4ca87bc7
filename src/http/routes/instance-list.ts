import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { listDocs } from '../docs/instances.ts';
import { succeedWithList } from '../envelope.ts';
import { instance, instanceView } from '../instance-view.ts';
import type { RouteOptions } from '../route-options.ts';

const instanceList = z
  .object({ instances: z.array(instance).meta({ description: 'Oldest first.' }) })
  .meta({ id: 'InstanceList', description: "The account's numbers." });

/** GET /v1/instances: the account's numbers, oldest first; no side effects. */
export function instanceListRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get<{ Reply: z.output<typeof instanceList> }>(
    '/v1/instances',
    {
      schema: { data: instanceList, ...listDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both', readOnly: true }),
    },
    async (request, reply) =>
      succeedWithList(request, reply, 'instances', {
        items: await options.sessions.states.ofAccount(request.admission.accountId),
        view: instanceView,
      }),
  );
}
