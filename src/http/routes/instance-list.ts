import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { exampleInstance } from '../docs/examples.ts';
import { limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeedWithList } from '../envelope.ts';
import { instance, instanceView } from '../instance-view.ts';
import type { RouteOptions } from '../route-options.ts';

const instanceList = z
  .object({ instances: z.array(instance).meta({ description: 'Oldest first.' }) })
  .meta({ id: 'InstanceList', description: "The account's numbers." });

const listDocs: OperationDocs = {
  operationId: 'listInstances',
  tag: 'Instances',
  summary: 'List instances',
  description:
    "The account's numbers, oldest first, and whether each can send. Free of side effects, so it is also the way to try out a key.",
  errors: limitedErrors,
  success: 'All numbers of the account, possibly none.',
  results: {
    several: { summary: 'One linked number', value: { instances: [exampleInstance] } },
    none: { summary: 'No numbers', value: { instances: [] } },
  },
};

/** GET /v1/instances: the account's numbers, oldest first; no side effects. */
export function instanceListRoute(server: FastifyInstance, options: RouteOptions): void {
  server.get<{ Reply: z.output<typeof instanceList> }>(
    '/v1/instances',
    {
      schema: { data: instanceList, docs: listDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both', readOnly: true }),
    },
    async (request, reply) =>
      succeedWithList(request, reply, 'instances', {
        items: await options.sessions.states.ofAccount(request.admission.accountId),
        view: instanceView,
      }),
  );
}
