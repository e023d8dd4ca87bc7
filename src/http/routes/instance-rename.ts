import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { renameDocs } from '../docs/instances.ts';
import { succeed } from '../envelope.ts';
import { ownInstance } from '../instance-view.ts';
import { label } from '../label.ts';
import { actorOf } from '../request.ts';
import type { RouteOptions } from '../route-options.ts';

const renameBody = z.object({
  label: label(1).refine((text) => text.trim() !== '', { error: 'must not be blank' }),
});

/** PATCH /v1/instances/{id}: a new label; nothing else changes. */
export function instanceRenameRoute(server: FastifyInstance, options: RouteOptions): void {
  server.patch<{ Params: { id: string }; Body: z.output<typeof renameBody> }>(
    '/v1/instances/:id',
    {
      schema: { body: renameBody, ...renameDocs },
      onRequest: options.admission({ scope: 'instances', planRequired: false, callers: 'both' }),
    },
    async (request, reply) => {
      const session = ownInstance(options, request);
      await options.sessions.rename(session, request.body.label, actorOf(request));
      return succeed(request, reply, { instance_id: session.id, label: session.label, status: session.status });
    },
  );
}
