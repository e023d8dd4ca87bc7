import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameBy } from './request.ts';

/** One thing that is done for a request which asks for many. */
export interface InnerRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: object;
  /** The account it is about; without it, the one of the request. */
  readonly accountId?: string;
}

export interface InnerAnswer {
  /** null when it was done. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What it answered when it was done. */
  readonly data: unknown;
}

/** A request to the API that is made for a caller who asked in another form. */
export interface InnerCall {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  /** Besides the caller's own. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface InnerResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed JSON. */
  readonly body: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** It is part of a request for many things, which was counted as a whole. */
    isInner: boolean;
  }
  interface FastifyInstance {
    innerRequests: InnerRequests;
  }
}

/** Marks an inner request; its value is known to this process alone, for as long as the request lasts. */
export const innerHeader = 'x-inner-request';
/** Headers of the connection, of the request's own body, and of itself. */
const ownHeaders: readonly string[] = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
  'expect',
  'upgrade',
  'idempotency-key',
];

/**
 * Does many things by asking the endpoint that does each of them, as the person who asked: with the same checks, the same audit entry and on the
 * server that owns the number.
 */
export class InnerRequests {
  readonly #server: FastifyInstance;
  /** By token, whether the request came by https, and whether it was counted as a whole. */
  readonly #under = new Map<string, { readonly https: boolean; readonly counted: boolean }>();

  constructor(server: FastifyInstance) {
    this.#server = server;
  }

  /** Marks the request as an inner one if the token is of one, whatever others send. */
  mark(request: FastifyRequest, token: string | string[]): void {
    const outer = typeof token === 'string' ? this.#under.get(token) : undefined;
    if (outer === undefined) return;
    request.isInner = outer.counted;
    cameBy(request, outer.https);
  }

  async run(request: FastifyRequest, { method, url, body, accountId }: InnerRequest): Promise<InnerAnswer> {
    // A person does not ask with a key.
    const { apikey: _, ...own } = headersOf(request);
    const headers = { ...own, ...(accountId === undefined ? {} : { 'x-account-id': accountId }) };
    // Every answer is in the envelope.
    const answer = (await this.#inject(request, { method, url, headers, body }, true)).json();
    return { error: answer.error ?? null, data: answer.data };
  }

  /** One request with the caller's key, with the checks, the limits and the place in the log that it has over HTTP. */
  async call(request: FastifyRequest, { method, url, body, headers }: InnerCall): Promise<InnerResponse> {
    const response = await this.#inject(request, { method, url, body, headers: { ...headersOf(request), ...headers } }, false);
    return { headers: response.headers, body: response.json() };
  }

  async #inject(
    request: FastifyRequest,
    inner: { method: string; url: string; headers: Record<string, string | string[]>; body: object | undefined },
    counted: boolean,
  ) {
    const token = randomUUID();
    this.#under.set(token, { https: request.protocol === 'https', counted });
    try {
      return await this.#server.inject({
        // Every method that a caller gives is one of the router's own.
        method: inner.method as 'GET',
        url: inner.url,
        remoteAddress: request.raw.socket.remoteAddress ?? '127.0.0.1',
        headers: { ...inner.headers, [innerHeader]: token },
        ...(inner.body === undefined ? {} : { payload: inner.body }),
      });
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
