import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { sinceStart } from '../../core/index.ts';
import type { Kind, SendBody } from '../../kinds/index.ts';
import { type SendResult, sendResultOf } from '../../messages/index.ts';
import { sendDocs } from '../docs/send.ts';
import { succeed } from '../envelope.ts';
import { announceIdempotency, readIdempotencyKey } from '../hooks/idempotency.ts';
import { apiMount, type Mount } from '../mount.ts';
import { ownBases } from '../own-address.ts';
import { tryIdOf } from '../owner/forward.ts';
import { messageValidator } from '../parse.ts';
import type { RouteOptions } from '../route-options.ts';

/** POST /v1/messages/{type}: one route per kind, all of it from the kind's own file. */
export function sendRoute(
  server: FastifyInstance,
  { admission, sender, idempotency, publicUrl = null }: RouteOptions,
  kind: Kind,
  mount: Mount = apiMount,
): void {
  // Runs first, so that refused sends are logged as sends too.
  const noteType: onRequestHookHandler = (request, _reply, done) => {
    request.trace.messageType = kind.type;
    done();
  };
  const admit = admission({ scope: 'messages', planRequired: true, callers: mount.callers });
  server.post<{ Body: SendBody; Reply: SendResult }>(
    `${mount.prefix}/messages/${kind.type}`,
    {
      config: { atOwner: 'body' },
      validatorCompiler: (part) => messageValidator({ ...part, schema: kind.schema }),
      schema: { body: kind.schema, ...(mount === apiMount ? { data: sendResultOf(kind), ...sendDocs(kind) } : {}) },
      onRequest: idempotency ? [noteType, admit, announceIdempotency] : [noteType, admit],
      ...(idempotency ? { preValidation: readIdempotencyKey } : {}),
    },
    async (request, reply) => {
      const { trace, body, idempotencyKey } = request;
      trace.instanceId = body.instance_id;
      const { result, replayed } = await sender({
        kind,
        body,
        admission: request.admission,
        requestId: tryIdOf(request),
        idempotencyKey,
        ownBases: kind.media === null ? [] : ownBases(request, publicUrl),
        moving: request.moving,
        caller: () => untilGone(reply),
        marks: trace,
      });
      trace.answeredAt = sinceStart(trace);
      trace.messageId = result.message_id;
      trace.recipient = result.to;
      if (idempotencyKey !== null) trace.idempotency = replayed ? 'replayed' : 'new';
      if (replayed) reply.header('idempotency-replayed', 'true');
      return succeed(request, reply, result);
    },
  );
}

/** Aborted when the connection closes before the answer is written. */
function untilGone({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  // Aborting makes an error with its stack, which a finished answer need not pay for.
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
