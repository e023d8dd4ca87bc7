import type { FastifyInstance, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify';
import { GatewayError, isIdempotencyKey, newId, sinceStart } from '../../core/index.ts';
import type { Kind, SendBody } from '../../kinds/index.ts';
import { type SendResult, sendResultOf } from '../../messages/index.ts';
import { sendDocs } from '../docs/send.ts';
import { succeed } from '../envelope.ts';
import { messageValidator } from '../parse.ts';
import { ownBases, untilGone } from '../request.ts';
import { apiMount, type Mount, type RouteOptions } from '../route-options.ts';

/** POST /v1/messages/{type}: one route per kind, all of it from the kind's own file. */
export function sendRoute(
  server: FastifyInstance,
  { admission, sender, idempotency, publicUrl }: RouteOptions,
  kind: Kind,
  mount: Mount = apiMount,
): void {
  const admit = admission({ scope: 'messages', planRequired: true, callers: mount.callers });
  server.post<{ Body: SendBody; Reply: SendResult }>(
    `${mount.prefix}/messages/${kind.type}`,
    {
      config: { atOwner: 'body', messageType: kind.type },
      validatorCompiler: (part) => messageValidator({ ...part, schema: kind.schema }),
      schema: { body: kind.schema, ...(mount === apiMount ? { data: sendResultOf(kind), ...sendDocs(kind) } : {}) },
      onRequest: idempotency ? [admit, announceIdempotency] : admit,
      ...(idempotency ? { preValidation: readIdempotencyKey } : {}),
    },
    async (request, reply) => {
      const { trace, body, idempotencyKey } = request;
      trace.instanceId = body.instance_id;
      let gone: AbortSignal | undefined;
      const { result, replayed } = await sender({
        kind,
        body,
        admission: request.admission,
        requestId: tryIdOf(request),
        idempotencyKey,
        ownBases: kind.media === null ? [] : ownBases(request, publicUrl),
        moving: request.moving,
        caller: () => {
          gone ??= untilGone(reply);
          return gone;
        },
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

/** `Idempotency-Replayed: false` on everything behind the rate limiter of a send path; a replay sets it to true. */
const announceIdempotency: onRequestHookHandler = (_request, reply, done) => {
  reply.header('idempotency-replayed', 'false');
  done();
};

/** Checks the form of the Idempotency-Key, after the body was read and before it is validated (decisions §2). */
const readIdempotencyKey: preValidationHookHandler = (request, _reply, done) => {
  const key = request.headers['idempotency-key'] ?? null;
  const problem = key === null ? null : idempotencyKeyProblem(key, 'Idempotency-Key');
  if (problem !== null) return done(problem);
  request.idempotencyKey = typeof key === 'string' ? key : null;
  done();
};

/** What is wrong with the form of an idempotency key that came in this field; null for nothing. */
export function idempotencyKeyProblem(key: unknown, field: string): GatewayError | null {
  if (typeof key === 'string' && isIdempotencyKey(key)) return null;
  const expected = 'must be 8 to 255 characters of A-Z, a-z, 0-9, dot, underscore, colon, tilde and dash';
  return new GatewayError('invalid_request', `${field} ${expected}.`, { field });
}

/**
 * The name in which a send is claimed and settled: another one each time a server begins with it, so that what is left of an earlier try (a
 * release that is not written yet) cannot undo what a later one has claimed.
 */
export function tryIdOf({ id, forwarded, foundHere }: FastifyRequest): string {
  return forwarded === null && foundHere <= 1 ? id : newId();
}
