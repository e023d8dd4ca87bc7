import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cameBy } from './request.ts';

/** One thing that is done for a request, which may ask for many. */
export interface InnerRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: object;
  /** The account it is about; without it, the one of the request. */
  readonly accountId?: string;
  /** The key it is asked with; without one, a person asks. */
  readonly apikey?: string;
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
    /** It is part of a request for many things, or the whole of one in other words, which was counted. */
    isInner: boolean;
    /** An inner request has the answer to it, and is in the request log in its place. */
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

  async run(request: FastifyRequest, { method, url, body, accountId, apikey }: InnerRequest): Promise<InnerAnswer> {
    // A person does not ask with a key.
    const { apikey: _, ...own } = headersOf(request);
    const headers = {
      ...own,
      ...(accountId === undefined ? {} : { 'x-account-id': accountId }),
      ...(apikey === undefined ? {} : { apikey }),
    };
    const response = await this.#inject(request, { method, url, headers, body }, true);
    // Every answer is in the envelope.
    const answer = response.json<{ error?: { code: string; message: string }; data?: unknown }>();
    const { statusCode: status, headers: answered, payload: text } = response;
    return { status, headers: answered, error: answer.error ?? null, data: answer.data, text };
  }

  /** One request with the caller's key, with the checks, the limits and the place in the log that it has over HTTP. */
  async call(request: FastifyRequest, { method, url, body, headers }: InnerCall): Promise<InnerResponse> {
    const { 'idempotency-key': _, ...own } = headersOf(request);
    const response = await this.#inject(request, { method, url, body, headers: { ...own, ...headers } }, false);
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
