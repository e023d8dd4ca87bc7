import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { exampleInstanceId } from '../docs/examples.ts';
import { bodyErrors, limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed } from '../envelope.ts';
import { instance, label, ownOrUnserved } from '../instance-view.ts';
import { actorOf } from '../request.ts';
import { atInstance, type RouteOptions } from '../route-options.ts';

const renameBody = z.object({
  label: label(1).refine((text) => text.trim() !== '', { error: 'must not be blank' }),
});

const renamed = instance
  .pick({ instance_id: true, status: true })
  .extend({ label: z.string().meta({ minLength: 1, maxLength: 60, description: 'The new label.' }) })
  .meta({ id: 'RenamedInstance', description: 'The instance under its new name.' });

const renameDocs: OperationDocs = {
  operationId: 'renameInstance',
  tag: 'Instances',
  summary: 'Rename an instance',
  description: 'Gives the number another label; nothing else changes.',
  errors: [...limitedErrors, ...bodyErrors, 'instance_not_found'],
  errorExamples: { invalid_request: { message: 'label must not be blank.', details: { field: 'label' } } },
  success: 'The instance has its new label.',
  fields: { label: 'Your own name for the number; it does not affect sending. Not blank.' },
  bodies: { rename: { summary: 'Rename', value: { label: 'Night shift' } } },
  results: { renamed: { summary: 'Renamed', value: { instance_id: exampleInstanceId, label: 'Night shift', status: 'open' } } },
};

/** PATCH /v1/instances/{id}: a new label; nothing else changes. */
export function instanceRenameRoute(server: FastifyInstance, options: RouteOptions): void {
  server.patch<{ Params: { id: string }; Body: z.output<typeof renameBody>; Reply: z.output<typeof renamed> }>(
    '/v1/instances/:id',
    atInstance(options, { body: renameBody, data: renamed, docs: renameDocs }),
    async (request, reply) => {
      const number = await ownOrUnserved(options, request);
      const { label } = request.body;
      await options.sessions.rename(number, label, actorOf(request));
      return succeed(request, reply, { instance_id: number.id, label, status: number.status });
    },
  );
}
