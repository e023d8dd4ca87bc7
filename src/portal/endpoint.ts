import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import type { z } from 'zod';
import { Conflict, GatewayError, isRefusal } from '../core/index.ts';
import { succeed } from '../http/index.ts';

export type Hook = onRequestAsyncHookHandler | onRequestHookHandler;

/** `PATCH /portal/api/members/:id`. */
type Line = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`;
type NameIn<Rest extends string> = Rest extends `${infer Name}/${string}` ? Name : Rest;
/** What the colons of a path name. */
type ParamsOf<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? { readonly [Name in NameIn<Rest>]: string } & ParamsOf<Rest>
  : object;

interface Asked<Body, Query> {
  readonly onRequest: Hook | readonly Hook[];
  readonly body?: z.ZodType<Body>;
  readonly query?: z.ZodType<Query>;
  readonly bodyLimit?: number;
  readonly config?: FastifyContextConfig;
}

/**
 * An endpoint of the portal: what `answer` gives goes into the envelope, unless it has sent the reply itself. What a room refuses of a change
 * (OperatorError) concerns what the person asked for: invalid_request or conflict, with the field that it names.
 */
export function endpoint<Path extends Line, Body = unknown, Query = unknown>(
  server: FastifyInstance,
  line: Path,
  { onRequest, body, query, ...others }: Asked<Body, Query>,
  answer: (
    request: FastifyRequest & { readonly params: ParamsOf<Path>; readonly body: Body; readonly query: Query },
    reply: FastifyReply,
  ) => object | Promise<object>,
): void {
  const [method = '', url = ''] = line.split(' ');
  server.route({
    ...others,
    method,
    url,
    schema: { ...(body === undefined ? {} : { body }), ...(query === undefined ? {} : { querystring: query }) },
    onRequest: [onRequest].flat(),
    handler: async (request, reply) => {
      try {
        // Path and schemas are those that the types were made from.
        const data = await answer(request as Parameters<typeof answer>[0], reply);
        return data === reply ? reply : succeed(request, reply, data);
      } catch (error) {
        throw method === 'GET' ? error : asInputError(error);
      }
    },
  });
}

function asInputError(error: unknown): unknown {
  if (!isRefusal(error)) return error;
  const code = error instanceof Conflict ? 'conflict' : 'invalid_request';
  const details = error.field === undefined ? undefined : { field: error.field };
  return new GatewayError(code, `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`, details);
}
