import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/index.ts';
import type { HotPath } from '../../store/index.ts';
import { newTrace } from '../request.ts';

/** The longest path that is kept; longer ones are cut. */
const longestPath = 200;

interface LogOptions {
  readonly hot: HotPath;
  readonly clock: Clock;
}

/** Gives every request its trace and X-Request-Id, and notes it in the request log when it was answered. */
export function registerRequestLog(server: FastifyInstance, options: LogOptions): void {
  // null until the first hook; a shared object as default would be shared between requests.
  server.decorateRequest('trace', null as never);
  server.decorateRequest('admission', null as never);
  server.decorateRequest('idempotencyKey', null);
  server.addHook('onRequest', (request, reply, done) => {
    request.trace = newTrace(performance.now());
    reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    noteRequest(options, request, reply);
    done();
  });
}

/** Notes an answered request in the request log. */
export function noteRequest({ hot, clock }: LogOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { trace } = request;
  const query = request.url.indexOf('?');
  hot.log({
    request_id: request.id,
    at: clock.now(),
    duration_ms: Math.round((performance.now() - trace.startedAt) * 100) / 100,
    account_id: trace.accountId,
    key_id: trace.keyId,
    method: request.method,
    path: request.url.slice(0, query === -1 ? longestPath : Math.min(query, longestPath)),
    status: reply.statusCode,
    code: trace.code,
    instance_id: trace.instanceId,
    message_type: trace.messageType,
    message_id: trace.messageId,
    recipient: trace.recipient,
    idempotency: trace.idempotency,
  });
}
