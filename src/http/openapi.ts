import type { FastifyInstance } from 'fastify';
import { buildDocument, type DocumentedRoute } from './docs/document.ts';
import { jsonType } from './envelope.ts';

export interface OpenapiOptions {
  readonly idempotency: boolean;
  /** Where callers reach the service, for example `https://gateway.example.com`; without it the address they asked at. */
  readonly publicUrl?: string | null;
}

/**
 * GET /openapi.json: the description of every route that carries docs. Call it before the routes are registered.
 * The document is built at the first request, so that a start costs nothing for it.
 */
export function openapiRoute(server: FastifyInstance, { idempotency, publicUrl = null }: OpenapiOptions): void {
  const routes: DocumentedRoute[] = [];
  server.addHook('onRoute', ({ method, url, schema }) => {
    // What goes without saying: every GET has one.
    if (method === 'HEAD') return;
    if (schema?.docs === undefined || schema.data === undefined) return;
    for (const one of Array.isArray(method) ? method : [method])
      routes.push({ method: one, url, schema, docs: schema.docs, data: schema.data });
  });

  let built: string | null = null;
  server.get('/openapi.json', (request, reply) => {
    built ??= JSON.stringify(buildDocument(routes, { idempotency })).slice(1);
    const url = publicUrl ?? `${request.protocol}://${request.host}`;
    return reply.type(jsonType).send(`{"servers":${JSON.stringify([{ url }])},${built}`);
  });
}
