import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { checkBody, checkNumbers } from '../../messages/index.ts';
import { checkDocs } from '../docs/numbers-check.ts';
import { succeed } from '../envelope.ts';
import type { RouteWorld } from '../route-world.ts';

/** POST /v1/numbers/check: which numbers are reachable; sends nothing. */
export function numbersCheckRoute(server: FastifyInstance, world: RouteWorld): void {
  server.post<{ Body: z.output<typeof checkBody> }>(
    '/v1/numbers/check',
    { schema: { body: checkBody, ...checkDocs }, onRequest: world.admission({ scope: 'messages', planRequired: true }) },
    async (request, reply) => {
      request.trace.instanceId = request.body.instance_id;
      return succeed(request, reply, await checkNumbers(world.sessions, request.admission.accountId, request.body));
    },
  );
}
