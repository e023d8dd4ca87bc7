import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError, type Log } from '../core/index.ts';
import { fail, failureBody, type Operation, type RouteOptions } from '../http/index.ts';
import type { Post } from './answer.ts';
import { derivedKey } from './derived-key.ts';
import { type OfferedTool, toolsOf } from './tools.ts';

interface McpOptions extends RouteOptions {
  /** The operations of the API, once all routes are there. */
  readonly operations: () => readonly Operation[];
  readonly log: Pick<Log, 'error'>;
}

/**
 * POST /mcp: the API for assistants (Model Context Protocol, streamable HTTP without sessions). What does the work is loaded at the first
 * request, so that a start costs nothing for it.
 */
export function mcpRoutes(server: FastifyInstance, options: McpOptions): void {
  let tools: ReadonlyMap<string, OfferedTool> | null = null;
  server.post('/mcp', { onRequest: options.admission({ scope: 'mcp', planRequired: false }) }, async (request, reply) => {
    const message = request.body;
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new GatewayError('invalid_request', 'The body must be one JSON-RPC message, a JSON object.');
    tools ??= toolsOf(options.operations(), options.idempotency);
    const { answer } = await import('./answer.ts');
    const { status, text } = await answer(postOf(request, { ...options, tools, message }));
    reply.code(status);
    return text === '' ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
  });
  // The protocol asks for exactly this where the server begins nothing by itself and keeps no sessions.
  server.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: (request, reply) =>
      fail(request, reply.header('allow', 'POST'), new GatewayError('not_found', 'Only POST is supported here.'), 405),
  });
}

function postOf(
  request: FastifyRequest,
  options: McpOptions & { readonly tools: ReadonlyMap<string, OfferedTool>; readonly message: object },
): Post {
  const { accountId, keyId } = request.admission;
  const { apikey } = request.headers;
  const key = typeof apikey === 'string' ? { apikey } : {};
  return {
    ...options,
    headers: Object.fromEntries(
      Object.entries(request.headers).filter((header): header is [string, string] => typeof header[1] === 'string'),
    ),
    call: (inner) => request.server.innerRequests.run(request, { ...inner, ...key, counted: true }),
    derivedKey: (tool, given) => derivedKey(options.store.db, { accountId, keyId, tool, arguments: given }, options.clock.now()),
    failure: (error) => failureBody(error, request.id, request.server.errorPage(error.code)),
    unexpected(error) {
      // The JSON of a caller may be nested deeper than it can be read.
      if (error instanceof RangeError) return new GatewayError('invalid_request', 'The arguments are nested too deeply.');
      options.log.error({ err: error, request_id: request.id }, 'unexpected error');
      return new GatewayError('internal_error', 'Something went wrong on our side. Support finds the request by its request_id.');
    },
  };
}
