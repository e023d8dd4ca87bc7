import { setImmediate as othersTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';
import { catalogue, type GatewayError, type Mutex, sinceStart } from '../core/index.ts';
import { newTrace } from './request.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Lets one long list be written at a time. */
    longLists: Mutex;
    /** Where the docs page explains a code; null where the address is not known. */
    errorPage(code: string): string | null;
  }
}

/** Answers 200 with the success envelope (contract, "Envelope") around `data`, which is what the route declares as its `Reply`. */
export function succeed<Route extends RouteGenericInterface>(
  request: FastifyRequest,
  reply: FastifyReply<Route>,
  data: NoInfer<Route['Reply']> & object,
): FastifyReply {
  const answer: FastifyReply = reply;
  return answer.type(jsonType).send(`{"success":true,"data":${JSON.stringify(data)},"request_id":"${request.id}"}`);
}

/** How much of a list is written as JSON at once, in characters: a fraction of a millisecond, while everybody else's work waits. */
const writtenAtOnce = 32_768;
/** The same while the others take long: a few milliseconds. */
const mostAtOnce = 8 * writtenAtOnce;

/**
 * Like `succeed` with `{ [name]: items as view shows them, ...more }`, for lists that customers make as long as they like: others have
 * their turn in between, and one such list is written at a time. It takes as long for itself as the others took before, so that a list of a
 * thousand numbers does not wait for many turns while they log in. Nobody else may change `items`.
 */
export async function succeedWithList<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { items, view, more = {} }: { readonly items: Iterable<Item>; readonly view: (item: Item) => object; readonly more?: object },
): Promise<FastifyReply> {
  const parts: Buffer[] = [];
  await request.server.longLists.take(async () => {
    let json = `{"success":true,"data":{"${name}":[`;
    let first = true;
    let until = 0;
    for (const item of items) {
      json += `${first ? '' : ','}${JSON.stringify(view(item))}`;
      first = false;
      if (json.length < writtenAtOnce || (json.length < mostAtOnce && performance.now() < until)) continue;
      parts.push(Buffer.from(json));
      json = '';
      const before = performance.now();
      await othersTurn();
      const after = performance.now();
      until = after + (after - before);
    }
    const rest = Object.entries(more).map(([field, value]) => `,${JSON.stringify(field)}:${JSON.stringify(value)}`);
    parts.push(Buffer.from(`${json}]${rest.join('')}},"request_id":"${request.id}"}`));
  });
  return reply.type(jsonType).send(Buffer.concat(parts));
}

/** Answers with the failure envelope and the status of the error's code, unless another is given. */
export function fail(request: FastifyRequest, reply: FastifyReply, error: GatewayError, status = error.status): FastifyReply {
  // A method that the router does not know comes here without any hook having run.
  request.trace ??= newTrace(performance.now());
  reply.header('x-request-id', request.id);
  request.trace.code = error.code;
  request.trace.errorMessage = error.message;
  request.trace.answeredAt = sinceStart(request.trace);
  return reply
    .code(status)
    .type(jsonType)
    .send(failureBody(error, request.id, request.server.errorPage(error.code)));
}

/** The failure envelope as JSON text, for places where there is no request yet. */
export function failureBody(error: GatewayError, requestId: string, docUrl: string | null): string {
  return JSON.stringify({
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
      ...(docUrl === null ? {} : { doc_url: docUrl }),
    },
    request_id: requestId,
  });
}

export const jsonType = 'application/json; charset=utf-8';

/** The anchor of a code on the docs page. */
export function errorAnchor(code: string): string {
  return `error-${code}`;
}

/**
 * Finds where the docs page explains a code of the API. Only the operator knows an address that everybody can reach (PUBLIC_URL): the one
 * a caller asked at may be a proxy's, and an address that leads nowhere is worse than none.
 */
export function errorPages(publicUrl: string | null): (code: string) => string | null {
  if (publicUrl === null) return () => null;
  const base = `${publicUrl.replace(/\/$/, '')}/docs#`;
  const known = new Map<string, string>(Object.keys(catalogue).map((code) => [code, `${base}${errorAnchor(code)}`]));
  return (code) => known.get(code) ?? null;
}
