import type { FastifyReply, FastifyRequest } from 'fastify';
import { type InnerRequest, jsonType } from '../../http/index.ts';
import { type Fields, fieldsOf } from './fields.ts';

/** Headers of an endpoint's answer that mean the same to the caller. */
const passedHeaders = ['x-request-id', 'idempotency-replayed', 'retry-after'];

type Asked = Omit<InnerRequest, 'apikey'>;

/** Has the endpoint do it, with the caller's key. */
export function ask(request: FastifyRequest, inner: Asked) {
  return request.server.innerRequests.run(request, { ...inner, apikey: keyOf(request) });
}

/** The same for all that is asked for. null: the endpoint refused, and the reply has its refusal. */
export async function pass(request: FastifyRequest, reply: FastifyReply, inner: Asked): Promise<Fields | null> {
  const { headers, status, error, data, text } = await ask(request, inner);
  for (const name of passedHeaders) {
    const value = headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  if (error === null) return fieldsOf(data);
  request.passedOn = true;
  reply.code(status).type(jsonType).send(text);
  return null;
}

/** Answers a request that an endpoint has done. */
export function answer(request: FastifyRequest, reply: FastifyReply, body: object, status = 200): FastifyReply {
  request.passedOn = true;
  return reply.code(status).type(jsonType).send(JSON.stringify(body));
}

/** The caller's key; the admission has let it in. */
export function keyOf({ headers: { apikey } }: FastifyRequest): string {
  if (typeof apikey !== 'string') throw new Error('a request that was let in must have a key');
  return apikey;
}
