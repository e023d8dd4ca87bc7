import { spoken, t } from '../language/language.ts';
import { addressOf, type ParamsOf, type Query } from './address.ts';
import { answerWatch } from './answer-watch.ts';
import type { Endpoints } from './endpoints.ts';

/** A failure that the server told in its envelope; `unreachable` when it could not be asked, `timeout` when it did not answer in time. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What support needs to find the request; null when there was no answer. */
  readonly requestId: string | null;
  /** Whether the message is the page's own, in its language; the server's are in English. */
  readonly translated: boolean;

  constructor(failure: {
    status: number;
    code: string;
    message: string;
    details?: Record<string, unknown>;
    requestId: string | null;
    translated?: boolean;
  }) {
    super(failure.message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details ?? {};
    this.requestId = failure.requestId;
    this.translated = failure.translated ?? failure.requestId === null;
  }

  /** The same failure in words of the page's own. */
  inWords(message: string): ApiError {
    const { status, code, details, requestId } = this;
    return new ApiError({ status, code, message, details, requestId, translated: true });
  }
}

/** An answer as it came, for pages that show it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** How an endpoint is asked: its path's parameters and its body where it has them. */
type CallOptions<Name extends keyof Endpoints> = ([ParamsOf<Name>] extends [never]
  ? unknown
  : { readonly params: Readonly<Record<ParamsOf<Name>, string>> }) &
  (Endpoints[Name] extends { readonly body: infer Body } ? { readonly body: Body } : unknown) & {
    readonly query?: Query;
    readonly headers?: Readonly<Record<string, string>>;
    /** The account the request is about; otherwise the one this tab acts for. null: none. */
    readonly account?: string | null | undefined;
    /** Takes the request back. */
    readonly signal?: AbortSignal | undefined;
    /** How long an answer may take. */
    readonly timeoutMs?: number;
  };

/** They may be left out where none is needed. */
type Options<Name extends keyof Endpoints> =
  object extends CallOptions<Name> ? [options?: CallOptions<Name>] : [options: CallOptions<Name>];

interface AnyOptions extends Partial<CallOptions<'GET /portal/api/session'>> {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How long the server may take to answer, unless a call says otherwise. */
const usualTimeoutMs = 60_000;

/** After so long the server is asked whether it is there at all. */
const longMs = 5_000;

const accountKey = 'acting-account';

/** The account this tab acts for, when it is not the person's own; null otherwise. */
export const actingAccount = {
  get: (): string | null => sessionStorage.getItem(accountKey),
  set(accountId: string | null): void {
    if (accountId === null) sessionStorage.removeItem(accountKey);
    else sessionStorage.setItem(accountKey, accountId);
  },
};

/** Whether the server said this. A proxy that answers in its place does so in other words. */
export function isEnvelope(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'success' in body;
}

/**
 * Asks an endpoint and returns whatever it answers. Throws ApiError only when it cannot be reached, is late, or something else answers in its
 * place.
 */
export async function callRaw<Name extends keyof Endpoints>(name: Name, ...[options]: Options<Name>): Promise<RawAnswer> {
  const {
    params = {},
    query,
    body,
    headers,
    account = actingAccount.get(),
    signal,
    timeoutMs = usualTimeoutMs,
  }: AnyOptions = options ?? {};
  const [method, path] = name.split(' ', 2) as [string, string];
  const timeout = AbortSignal.timeout(timeoutMs);
  const long = setTimeout(() => answerWatch.current?.ask(), longMs);
  let response: Response;
  let parsed: unknown;
  try {
    response = await fetch(addressOf(path, params, query), {
      method,
      headers: {
        'x-portal': '1',
        // What the server says to people comes in the page's language.
        'accept-language': spoken(),
        ...(account === null ? {} : { 'x-account-id': account }),
        ...(body === undefined ? {} : { 'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      // A file is sent as it is.
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    parsed = await response.json();
    if (!isEnvelope(parsed)) throw new Error('not an answer of the server');
  } catch (error) {
    if (signal?.aborted === true) throw error;
    answerWatch.current?.doubt();
    throw timeout.aborted
      ? new ApiError({ status: 0, code: 'timeout', message: t('The server did not answer in time. Try again.'), requestId: null })
      : new ApiError({
          status: 0,
          code: 'unreachable',
          message: t('The server cannot be reached. Check your connection and try again.'),
          requestId: null,
        });
  } finally {
    clearTimeout(long);
  }
  answerWatch.current?.heard();
  return { status: response.status, headers: response.headers, body: parsed };
}

/** Asks an endpoint for the `data` of its answer. Throws ApiError for every failure. */
export async function call<Name extends keyof Endpoints>(name: Name, ...options: Options<Name>): Promise<Endpoints[Name]['answer']> {
  const { status, body } = await callRaw(name, ...options);
  const envelope = body as Envelope;
  if (envelope.success) return envelope.data;
  const { code, message, details } = envelope.error;
  throw new ApiError({ status, code, message, ...(details === undefined ? {} : { details }), requestId: envelope.request_id });
}

type Envelope =
  | { readonly success: true; readonly data: unknown; readonly request_id: string }
  | {
      readonly success: false;
      readonly error: { readonly code: string; readonly message: string; readonly details?: Record<string, unknown> };
      readonly request_id: string;
    };
