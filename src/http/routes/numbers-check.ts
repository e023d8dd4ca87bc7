import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { checkBody, checkNumbers } from '../../messages/index.ts';
import { checkDocs } from '../docs/numbers-check.ts';
import { apiDoor, type Door } from '../door.ts';
import { succeed } from '../envelope.ts';
import type { RouteWorld } from '../route-world.ts';

/** POST /v1/numbers/check: which numbers are reachable; sends nothing. */
export function numbersCheckRoute(server: FastifyInstance, world: RouteWorld, door: Door = apiDoor): void {
  server.post<{ Body: z.output<typeof checkBody> }>(
    `${door.prefix}/numbers/check`,
    {
      schema: { body: checkBody, ...(door === apiDoor ? checkDocs : {}) },
      onRequest: world.admission({ scope: 'messages', planRequired: true, callers: door.callers }),
    },
    async (request, reply) => {
      request.trace.instanceId = request.body.instance_id;
      return succeed(request, reply, await checkNumbers(world.sessions, request.admission.accountId, request.body));
    },
  );
}
