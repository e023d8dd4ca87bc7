import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Handler, handler } from '../../coordination/index.ts';
import { type ForwardedAnswer, forwardedRequest, type TraceNotes } from './forwarded-request.ts';

/** A request of another node while this one answers it. */
export interface Forwarded {
  readonly requestId: string;
  /** The caller came by https: the name of the session cookie follows from it. */
  readonly https: boolean;
  /** What the other node is to log; null until it is answered. */
  notes: TraceNotes | null;
  /** This node does not own the number any more. */
  moved: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null: it came from a caller and not from another node. */
    forwarded: Forwarded | null;
  }
}

/** Names the request to the server it is injected into; its value is known to this process alone, for as long as the request lasts. */
const header = 'x-forwarded-by-node';

/** The requests that other nodes have this one answer. Their callers were counted, and are logged, where they came in. */
export class ForwardedRequests {
  readonly #under = new Map<string, Forwarded>();

  /** The forwarded request with these headers; null for one of a caller, whatever its headers say. */
  of(headers: IncomingHttpHeaders): Forwarded | null {
    const token = headers[header];
    return typeof token === 'string' ? (this.#under.get(token) ?? null) : null;
  }

  /** Answers other nodes with what the server answers. */
  handler(server: FastifyInstance): Handler {
    return handler(forwardedRequest, async ({ method, url, headers, body, https }, { requestId }): Promise<ForwardedAnswer> => {
      const token = randomUUID();
      const forwarded: Forwarded = { requestId: requestId ?? randomUUID(), https, notes: null, moved: false };
      this.#under.set(token, forwarded);
      try {
        const response = await server.inject({
          method: method as 'GET',
          url,
          headers: { ...headers, [header]: token },
          ...(body === null ? {} : { payload: body }),
        });
        if (forwarded.moved) return { outcome: 'moved' };
        if (forwarded.notes === null) throw new Error('a forwarded request was answered without having been noted');
        return {
          outcome: 'answered',
          status: response.statusCode,
          headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
          body: response.body,
          notes: forwarded.notes,
        };
      } finally {
        this.#under.delete(token);
      }
    });
  }
}
