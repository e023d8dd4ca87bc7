import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameBy } from './request.ts';

/** One thing that is done for a request, which may ask for many. */
export interface InnerRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  /** The account it is about; without it, the one of the request. */
  readonly accountId?: string;
  /** The key it is asked with; without one, a person asks. */
  readonly apikey?: string;
  /** Besides those of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It counts for itself at the rate limit; without this, only the request that it is done for does. */
  readonly counted?: boolean;
}

export interface InnerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>;
  /** null when it was done. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What it answered when it was done. */
  readonly data: unknown;
  /** All of the answer, as it was written. */
  readonly text: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** It is part of a request for many things, or the whole of one in other words, which was counted. */
    isInner: boolean;
    /** The caller's connection, of an inner request, which has none of its own; null for all others. */
    outerSocket: Socket | null;
    /** Another one is in the request log in its place: an inner request, or this one at the server that it was forwarded to. */
    passedOn: boolean;
  }
  interface FastifyInstance {
    innerRequests: InnerRequests;
  }
}

/** Marks an inner request; its value is known to this process alone, for as long as the request lasts. */
export const innerHeader = 'x-inner-request';
/** Headers of the connection and of the request's own body. */
const ownHeaders: readonly string[] = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
  'expect',
  'upgrade',
];

/**
 * Does things by asking the endpoint that does each of them, as whoever asked: with the same checks, the same audit entry and on the server that
 * owns the number.
 */
export class InnerRequests {
  readonly #server: FastifyInstance;
  /** By token, the connection that the request came by, whether that was https, and whether its inner one counts for itself. */
  readonly #under = new Map<string, { readonly socket: Socket; readonly https: boolean; readonly counted: boolean }>();

  constructor(server: FastifyInstance) {
    this.#server = server;
  }

  /** Marks the request as an inner one if the token is of one, whatever others send. */
  mark(request: FastifyRequest, token: string | string[]): void {
    const outer = typeof token === 'string' ? this.#under.get(token) : undefined;
    if (outer === undefined) return;
    request.isInner = !outer.counted;
    request.outerSocket = outer.socket;
    cameBy(request, outer.https);
  }

  async run(request: FastifyRequest, inner: InnerRequest): Promise<InnerAnswer> {
    const { method, url, body, accountId, apikey, headers = {}, counted = false } = inner;
    const { socket } = request.raw;
    const token = randomUUID();
    this.#under.set(token, { socket, https: request.protocol === 'https', counted });
    try {
      // A person does not ask with a key.
      const { apikey: _, ...own } = headersOf(request);
      // Loaded here, so that a start costs nothing for it.
      const { default: inject } = await import('light-my-request');
      // The server's own `inject` refuses once a stop has begun, while requests under way still need theirs.
      const response = await inject((incoming, outgoing) => this.#server.routing(incoming, outgoing), {
        method,
        url,
        remoteAddress: socket.remoteAddress ?? '127.0.0.1',
        headers: {
          ...own,
          ...(accountId === undefined ? {} : { 'x-account-id': accountId }),
          ...(apikey === undefined ? {} : { apikey }),
          ...headers,
          [innerHeader]: token,
        },
        ...(body === undefined ? {} : { payload: body }),
      });
      // Every answer of an endpoint is in the envelope.
      const answer = response.json<{ error?: { code: string; message: string }; data?: unknown }>();
      const { statusCode: status, headers: answered, payload: text } = response;
      return { status, headers: answered, error: answer.error ?? null, data: answer.data, text };
    } finally {
      this.#under.delete(token);
    }
  }
}

function headersOf(request: FastifyRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) if (!ownHeaders.includes(name) && value !== undefined) headers[name] = value;
  return headers;
}
