import type { FastifyInstance } from 'fastify';
import type { Kind, SendBody } from '../../kinds/index.ts';
import { sendDocs } from '../docs/send.ts';
import { succeed } from '../envelope.ts';
import { announceIdempotency, readIdempotencyKey } from '../plugins/idempotency.ts';
import type { RouteWorld } from '../route-world.ts';

/** POST /v1/messages/{type}: one route per kind, all of it from the kind's own file. */
export function sendRoute(server: FastifyInstance, { admission, sender, idempotency }: RouteWorld, kind: Kind): void {
  const admit = admission({ scope: 'messages', planRequired: true });
  server.post<{ Body: SendBody }>(
    `/v1/messages/${kind.type}`,
    {
      schema: { body: kind.schema, ...sendDocs(kind) },
      onRequest: idempotency ? [admit, announceIdempotency] : [admit],
      ...(idempotency ? { preValidation: readIdempotencyKey } : {}),
    },
    async (request, reply) => {
      const { trace, body, idempotencyKey } = request;
      trace.instanceId = body.instance_id;
      trace.messageType = kind.type;
      const { result, replayed } = await sender({ kind, body, admission: request.admission, requestId: request.id, idempotencyKey });
      trace.messageId = result.message_id;
      trace.recipient = result.to;
      if (idempotencyKey !== null) trace.idempotency = replayed ? 'replayed' : 'new';
      if (replayed) reply.header('idempotency-replayed', 'true');
      return succeed(request, reply, result);
    },
  );
}
