import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError } from '../../core/index.ts';
import { deleteDocs } from '../docs/instances.ts';
import { succeed } from '../envelope.ts';
import { instance, ownInstance } from '../instance-view.ts';
import { actorOf } from '../request.ts';
import type { RouteOptions } from '../route-options.ts';

const disconnectWords: readonly string[] = ['true', '1', 'yes', 'on'];
const deleteWords: readonly string[] = ['false', '0', 'no', 'off'];

const deleted = z
  .object({
    instance_id: instance.shape.instance_id.meta({ description: 'The id that is no longer valid.' }),
    deleted: z.literal(true).meta({ description: 'Always true.' }),
  })
  .meta({ id: 'DeletedInstance', description: 'The instance is gone.' });
const disconnected = instance
  .pick({ instance_id: true })
  .extend({
    status: z.literal('close').meta({ description: 'Always `close`.' }),
    disconnected: z.literal(true).meta({ description: 'Always true.' }),
  })
  .meta({ id: 'DisconnectedInstance', description: 'The instance remains, without a link.' });
const gone = z.xor([deleted, disconnected]);

/** DELETE /v1/instances/{id}: removes the instance, or with logout_only disconnects it and keeps it. */
export function instanceDeleteRoute(server: FastifyInstance, options: RouteOptions): void {
  server.delete<{ Params: { id: string }; Querystring: Record<string, unknown>; Reply: z.output<typeof gone> }>(
    '/v1/instances/:id',
    {
      config: { atOwner: 'path' },
      schema: { data: gone, ...deleteDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both' }),
    },
    async (request, reply) => {
      const logoutOnly = readLogoutOnly(request.query);
      const session = ownInstance(options, request);
      if (logoutOnly) {
        await session.logout(actorOf(request));
        return succeed(request, reply, { instance_id: session.id, status: 'close', disconnected: true });
      }
      await options.sessions.remove(session, actorOf(request));
      return succeed(request, reply, { instance_id: session.id, deleted: true });
    },
  );
}

/** Reads `logout_only`. Deleting cannot be undone, so every other parameter counts as a misspelling of it and is refused. */
function readLogoutOnly(query: Readonly<Record<string, unknown>>): boolean {
  for (const name of Object.keys(query)) {
    if (name === 'logout_only') continue;
    throw new GatewayError(
      'invalid_request',
      `The query parameter ${name} is not known here; did you mean logout_only? Nothing was changed.`,
      { field: name },
    );
  }
  if (!('logout_only' in query)) return false;
  const word = typeof query.logout_only === 'string' ? query.logout_only.toLowerCase() : '';
  if (disconnectWords.includes(word)) return true;
  if (deleteWords.includes(word)) return false;
  throw new GatewayError(
    'invalid_request',
    'logout_only must be given once, as true, 1, yes, on, false, 0, no or off. Nothing was changed.',
    {
      field: 'logout_only',
    },
  );
}
