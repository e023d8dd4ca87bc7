import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { GatewayError, type Log, OperatorError, OwnershipLost, StoreUnavailable, storeUnavailable } from '../../core/index.ts';
import { fail } from '../envelope.ts';
import { afterLoss, answerMoved } from '../owner/forward.ts';
import { beginUnrouted } from './request-log.ts';

/**
 * The one mapper from failures to responses: catalogue codes pass, what Fastify itself refuses becomes one, the rest stays opaque.
 * To be registered after the request log, whose trace it fills. `findOwner` is what looks for the owner of a request's number before it is handled;
 * null: there is one server only.
 */
export function registerErrors(server: FastifyInstance, log: Pick<Log, 'error'>, findOwner: preHandlerAsyncHookHandler | null): void {
  const notFound = (request: FastifyRequest, reply: FastifyReply) =>
    fail(request, reply, new GatewayError('not_found', 'No such path, or the path does not support this method.'));
  server.setNotFoundHandler(notFound);
  // Answered before the body is read, which would otherwise be judged first.
  server.addHook('onRequest', (request, reply, done) => {
    // The router would take a target without a leading slash ("*", RFC 9112 §3.2.4) for the start page.
    if (request.is404 || !request.url.startsWith('/')) notFound(request, reply);
    else if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      fail(request, reply, new GatewayError('invalid_request', 'The Host header is missing.'));
    else done();
  });
  server.setErrorHandler(async (error, request, reply) => {
    if (request.trace === undefined) beginUnrouted(request, reply);
    const next = error instanceof OwnershipLost && findOwner !== null ? afterLoss(request) : 'fail';
    if (next === 'moved') return answerMoved(reply);
    if (next !== 'again' || findOwner === null) return answerError(error, request, reply);
    try {
      // Another server answers, or this one handles the request again: the number may have come back.
      reply.code(200);
      await findOwner.call(server, request, reply);
      return reply.sent ? reply : await request.routeOptions.handler.call(server, request, reply);
    } catch (again) {
      return answerError(again, request, reply);
    }
  });

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const known = bodyError(error, request) ?? asGatewayError(error);
    if (known !== null) return fail(request, reply, known);
    // An OperatorError is logged by its message alone, without a stack. The store logs its own troubles (store/writability.ts).
    if (error instanceof OperatorError) log.error({ request_id: request.id }, error.message);
    else log.error({ err: error, request_id: request.id, method: request.method, path: request.routeOptions.url }, 'unexpected error');
    return fail(request, reply, unexpected());
  }
}

/** The opaque answer to every unexpected error. */
export function unexpected(): GatewayError {
  return new GatewayError('internal_error', 'Something went wrong on our side. Support finds the request by its request_id.');
}

/** The catalogue's error for a failure, or null when it is unexpected. */
export function asGatewayError(error: unknown): GatewayError | null {
  if (error instanceof GatewayError) return error;
  if (error instanceof OwnershipLost)
    return new GatewayError(
      'upstream_unavailable',
      'The number is moving to another server of the gateway. Retry shortly: without an Idempotency-Key nothing was sent, and with one nothing is sent twice.',
    );
  if (error instanceof StoreUnavailable) return storeUnavailable("The gateway's storage cannot be used right now. Try again shortly.");
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  switch (error.code) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new GatewayError('invalid_request', 'The body must be a JSON object; it could not be read as JSON.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new GatewayError('invalid_request', 'The body did not arrive completely.');
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_NOT_FOUND':
      return new GatewayError('not_found', 'No such path.');
    default:
      return null;
  }
}

/** The error of a body that was not read to its end; null when the failure is another one. */
function bodyError(error: unknown, request: FastifyRequest): GatewayError | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit } = request.routeOptions;
    return new GatewayError('payload_too_large', `The request body is over ${bodyLimit / 1024} KB (${bodyLimit} bytes).`);
  }
  // The caller's own connection broke; the store's breaks with the same code.
  if (error.code === 'ECONNRESET' && !request.raw.complete)
    return new GatewayError('invalid_request', 'The body did not arrive completely.');
  return null;
}
