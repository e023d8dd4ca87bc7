import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { checkBody, checkNumbers, numberCheck } from '../../messages/index.ts';
import { checkDocs } from '../docs/numbers-check.ts';
import { succeed } from '../envelope.ts';
import { apiMount, type Mount } from '../mount.ts';
import type { RouteOptions } from '../route-options.ts';

/** POST /v1/numbers/check: which numbers are reachable; sends nothing. */
export function numbersCheckRoute(server: FastifyInstance, options: RouteOptions, mount: Mount = apiMount): void {
  server.post<{ Body: z.output<typeof checkBody>; Reply: z.output<typeof numberCheck> }>(
    `${mount.prefix}/numbers/check`,
    {
      config: { atOwner: 'body', onlyAsks: true },
      schema: { body: checkBody, ...(mount === apiMount ? { data: numberCheck, ...checkDocs } : {}) },
      onRequest: options.admission({ scope: 'messages', planRequired: true, callers: mount.callers }),
    },
    async (request, reply) => {
      request.trace.instanceId = request.body.instance_id;
      const caller = { accountId: request.admission.accountId, moving: request.moving };
      return succeed(request, reply, await checkNumbers(options.sessions, caller, request.body));
    },
  );
}
