import type { components } from './api.ts';
import { ApiError, type GatewayError, NoAnswerError } from './errors.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The key of a send. */
  readonly key?: string;
  /** Doing it twice is the same as doing it once; by default every GET. Sends are so too as long as the gateway honours keys. */
  readonly repeatable?: boolean;
  /** What a repetition gives that finds no instance: an earlier request of the call has removed it, and its answer was lost. */
  readonly gone?: unknown;
}

/** Whether doing it twice is the same as doing it once. */
export function isRepeatable({ method, repeatable = method === 'GET' }: Call): boolean {
  return repeatable;
}

/** How one request ended. */
export interface Exchange {
  /** Null without any answer, as the next. */
  readonly headers: Headers | null;
  readonly status: number | null;
  /** Null when no answer of the gateway came. */
  readonly requestId: string | null;
  readonly data: unknown;
  readonly error: GatewayError | null;
}

type Envelope = { readonly success: true; readonly data: unknown; readonly request_id: string } | components['schemas']['ErrorEnvelope'];

export interface ExchangeOptions {
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Whether an earlier one of the same call may have been carried out. */
  readonly doubted: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A longer timer ends at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Makes one request. Rejects only when the caller's signal is aborted, or when what was given cannot be written as a request. */
export async function exchange(call: Call, options: ExchangeOptions): Promise<Exchange> {
  const onceOnly = !isRepeatable(call);
  const about = { idempotencyKey: call.key ?? null, attempts: options.attempts, mayHaveBeenSent: onceOnly };
  const name = `${call.method} ${call.path.replace(/\?.*/, '')}`;
  // Not among what may fail on its way: a repetition would fail the same.
  const init = initOf(call, options.apiKey);
  let response: Response;
  let text: string;
  try {
    ({ response, text } = await fetchText(options.base + call.path, init, options));
  } catch (cause) {
    options.signal?.throwIfAborted();
    const error = new NoAnswerError(`${name} got no answer.`, { ...about, status: null }, cause);
    return { headers: null, status: null, requestId: null, data: null, error };
  }
  const { status, headers } = response;
  const body = envelopeOf(text);
  if (body === null) {
    // A proxy that limits has passed nothing on.
    const mayHaveBeenSent = onceOnly && (options.doubted || status !== 429);
    const message = `${name} was answered with ${status}, but not by the gateway.`;
    return { headers, status, requestId: null, data: null, error: new NoAnswerError(message, { ...about, mayHaveBeenSent, status }) };
  }
  const answered = { headers, status, requestId: body.request_id };
  if (body.success) return { ...answered, data: body.data, error: null };
  const { code, message, details = {}, doc_url: docUrl = null } = body.error;
  const mayHaveBeenSent = onceOnly && (options.doubted || status >= 500);
  const refusal = { ...about, mayHaveBeenSent, code, status, requestId: body.request_id, docUrl, details };
  return { ...answered, data: null, error: new ApiError(message, refusal) };
}

function initOf({ method, body, key, gone }: Call, apiKey: string | undefined): RequestInit {
  const headers = new Headers({
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { apikey: apiKey }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });
  // Bun repeats by itself what a kept connection was cut for; a removal must know of its repetitions. Elsewhere this is the default.
  const alone = gone === undefined ? {} : { keepalive: false };
  // The key must not follow to another server.
  return { method, headers, redirect: 'manual', ...alone, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

async function fetchText(url: string, init: RequestInit, { fetch, timeoutMs, signal }: ExchangeOptions) {
  signal?.throwIfAborted();
  const end = new AbortController();
  const stop = () => end.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  const timer = setTimeout(() => end.abort(new Error(`no answer within ${timeoutMs} ms`)), Math.min(timeoutMs, longestTimerMs));
  try {
    const response = await fetch(url, { ...init, signal: end.signal });
    return { response, text: await response.text() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** The gateway's own body; null for a proxy's error page and the like. */
function envelopeOf(text: string): Envelope | null {
  try {
    const body: unknown = JSON.parse(text);
    const own = typeof body === 'object' && body !== null && 'success' in body && 'request_id' in body;
    return own ? (body as Envelope) : null;
  } catch {
    return null;
  }
}
