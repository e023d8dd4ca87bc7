import { setImmediate as othersTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayError } from '../core/index.ts';
import { sinceStart } from '../messages/index.ts';
import { newTrace } from './request.ts';

/** Answers 200 with the success envelope (contract, "Envelope"). */
export function succeed(request: FastifyRequest, reply: FastifyReply, data: object): FastifyReply {
  return reply.type(jsonType).send(`{"success":true,"data":${JSON.stringify(data)},"request_id":"${request.id}"}`);
}

/** How many items of a list are written as JSON at once: a fraction of a millisecond, while everybody else's work waits. */
const itemsAtOnce = 200;

/** Like `succeed` with `{ [name]: items as view shows them }`, for lists that customers make as long as they like: others have their turn in between. */
export async function succeedWithList<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  items: readonly Item[],
  view: (item: Item) => object,
): Promise<FastifyReply> {
  // What the list is now: it may change between the steps.
  const listed = items.slice();
  const parts = [Buffer.from(`{"success":true,"data":{"${name}":[`)];
  for (let start = 0; start < listed.length; start += itemsAtOnce) {
    if (start > 0) await othersTurn();
    const json = JSON.stringify(listed.slice(start, start + itemsAtOnce).map(view)).slice(1, -1);
    parts.push(Buffer.from(start === 0 ? json : `,${json}`));
  }
  parts.push(Buffer.from(`]},"request_id":"${request.id}"}`));
  return reply.type(jsonType).send(Buffer.concat(parts));
}

/** Answers with the failure envelope and the status of the error's code, unless another is given. */
export function fail(request: FastifyRequest, reply: FastifyReply, error: GatewayError, status = error.status): FastifyReply {
  // A method that the router does not know comes here without any hook having run.
  request.trace ??= newTrace(performance.now());
  reply.header('x-request-id', request.id);
  request.trace.code = error.code;
  request.trace.answeredAt = sinceStart(request.trace);
  return reply.code(status).type(jsonType).send(failureBody(error, request.id));
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
