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
/** Headers of the connection and of the request's own body, and the key, which a person does not ask with: an inner request names its own. */
const ownHeaders: readonly string[] = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-type',
  'expect',
  'upgrade',
  'apikey',
];

/**
 * Does things by asking the endpoint that does each of them, as whoever asked: with the same checks, the same audit entry and on the server that
 * owns the number.
 */
export class InnerRequests {
  readonly #server: FastifyInstance;
  /** By token, whether the request came by https. */
  readonly #under = new Map<string, boolean>();

  constructor(server: FastifyInstance) {
    this.#server = server;
  }

  /** Marks the request as an inner one if the token is of one, whatever others send. */
  mark(request: FastifyRequest, token: string | string[]): void {
    const https = typeof token === 'string' ? this.#under.get(token) : undefined;
    if (https === undefined) return;
    request.isInner = true;
    cameBy(request, https);
  }

  async run(request: FastifyRequest, { method, url, body, accountId, apikey }: InnerRequest): Promise<InnerAnswer> {
    const token = randomUUID();
    const { socket } = request.raw;
    this.#under.set(token, request.protocol === 'https');
    try {
      const headers: Record<string, string | string[]> = {};
      for (const [name, value] of Object.entries(request.headers))
        if (!ownHeaders.includes(name) && value !== undefined) headers[name] = value;
      const response = await this.#server.inject({
        method,
        url,
        remoteAddress: socket.remoteAddress ?? '127.0.0.1',
        headers: {
          ...headers,
          ...(accountId === undefined ? {} : { 'x-account-id': accountId }),
          ...(apikey === undefined ? {} : { apikey }),
          [innerHeader]: token,
        },
        ...(body === undefined ? {} : { payload: body }),
      });
      // Every answer is in the envelope.
      const answer = response.json<{ error?: { code: string; message: string }; data?: unknown }>();
      const { statusCode: status, headers: answered, payload: text } = response;
      return { status, headers: answered, error: answer.error ?? null, data: answer.data, text };
    } finally {
      this.#under.delete(token);
    }
  }
}
