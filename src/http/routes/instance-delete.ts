import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError } from '../../core/index.ts';
import { exampleInstanceId } from '../docs/examples.ts';
import { bodyErrors, limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { instance, ownOrUnserved } from '../instance-view.ts';
import { actorOf } from '../request.ts';
import { atInstance, type RouteOptions } from '../route-options.ts';

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

const deleteDocs: OperationDocs = {
  operationId: 'deleteInstance',
  tag: 'Instances',
  summary: 'Delete or disconnect an instance',
  description:
    'Without `logout_only`, or with a false value, the instance is removed for good: its `instance_id` is no longer valid and its slot is free. ' +
    'With a true value the number is only disconnected: the instance and its `instance_id` stay and can be paired again. ' +
    'Nothing is credited back for the day already begun, and connecting the same number again that day costs nothing more.\n\n' +
    'Deleting cannot be undone, so an unreadable or repeated `logout_only` and every other query parameter (a misspelled one, for example) give 400, and nothing is changed.',
  errors: [...limitedErrors, ...bodyErrors, 'instance_not_found'],
  errorExamples: {
    upstream_unavailable: { message: 'The network did not confirm that the number is unlinked; it stays linked. Retry shortly.' },
    invalid_request: {
      message: 'The query parameter logoutOnly is not known here; did you mean logout_only? Nothing was changed.',
      details: { field: 'logoutOnly' },
    },
  },
  success: 'Deleted, or disconnected.',
  query: [
    {
      name: 'logout_only',
      description: 'A true value disconnects and keeps the instance; a false value, or none, deletes it. Any capitalisation, at most once.',
      schema: { type: 'string', enum: ['true', '1', 'yes', 'on', 'false', '0', 'no', 'off'] },
    },
  ],
  results: {
    deleted: { summary: 'Deleted', value: { instance_id: exampleInstanceId, deleted: true } },
    disconnected: { summary: 'Disconnected', value: { instance_id: exampleInstanceId, status: 'close', disconnected: true } },
  },
};

/** DELETE /v1/instances/{id}: removes the instance, or with logout_only disconnects it and keeps it. */
export function instanceDeleteRoute(server: FastifyInstance, options: RouteOptions): void {
  server.delete<{ Params: { id: string }; Querystring: Record<string, unknown>; Reply: z.output<typeof gone> }>(
    '/v1/instances/:id',
    atInstance(options, { data: gone, docs: deleteDocs }),
    async (request, reply) => {
      const logoutOnly = readLogoutOnly(request.query);
      const number = await ownOrUnserved(options, request);
      const actor = actorOf(request);
      if (logoutOnly) {
        await number.logout(actor);
        return succeed(request, reply, { instance_id: number.id, status: 'close', disconnected: true });
      }
      await options.sessions.remove(number, actor);
      return succeed(request, reply, { instance_id: number.id, deleted: true });
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
