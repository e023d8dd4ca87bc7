import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayError } from '../core/index.ts';
import { sinceStart } from '../messages/index.ts';
import { newTrace } from './request.ts';

/** Answers 200 with the success envelope (contract, "Envelope"). */
export function succeed(request: FastifyRequest, reply: FastifyReply, data: object): FastifyReply {
  return reply.type(jsonType).send(`{"success":true,"data":${JSON.stringify(data)},"request_id":"${request.id}"}`);
}

/** Answers with the failure envelope and the status of the error's code. */
export function fail(request: FastifyRequest, reply: FastifyReply, error: GatewayError): FastifyReply {
  // A method that the router does not know comes here without any hook having run.
  request.trace ??= newTrace(performance.now());
  reply.header('x-request-id', request.id);
  request.trace.code = error.code;
  request.trace.answeredAt = sinceStart(request.trace);
  return reply.code(error.status).type(jsonType).send(failureBody(error, request.id));
}

/** The failure envelope as JSON text, for places where there is no request yet. */
export function failureBody(error: GatewayError, requestId: string): string {
  return JSON.stringify({
    success: false,
    error: { code: error.code, message: error.message, ...(error.details === undefined ? {} : { details: error.details }) },
    request_id: requestId,
  });
}

export const jsonType = 'application/json; charset=utf-8';
