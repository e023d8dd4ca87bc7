import { Allowance } from './allowance.ts';
import { isApiError } from './errors.ts';
import { type Call, type Exchange, exchange, isRepeatable } from './exchange.ts';
import { apiKeyOf, baseUrlOf } from './given.ts';
import { wait } from './wait.ts';

export interface ClientOptions {
  /** Where the gateway is, for example `https://gateway.example.com`. In a browser: the path of the proxy that adds the key. */
  readonly baseUrl: string;
  /** White space around it is left out. Omit it only where a proxy adds it: a key must not come into a browser. */
  readonly apiKey?: string;
  /** How long one request may take, 90 seconds by default. Then it is repeated. */
  readonly timeoutMs?: number;
  /** How long a call may take with all its repetitions and waits, 5 minutes by default. */
  readonly deadlineMs?: number;
  /** The longest wait before the first repetition, a quarter of a second by default. It doubles with each until 10 seconds. */
  readonly backoffMs?: number;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Called with each answer of the gateway, also with those after which the request is repeated: for logs. */
  readonly onAnswer?: (answer: Answered) => void;
}

/** What a log wants to know of an answer. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requestId: string;
  readonly attempts: number;
  /** Whether an earlier request with the same key had sent the message already. */
  readonly replayed: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Instead of the client's. */
  readonly deadlineMs?: number;
}

/** One request of a call. */
interface Try {
  /** Its number. */
  readonly attempts: number;
  /** Whether an earlier one may have been carried out. */
  readonly doubted: boolean;
}

/** Until when a call may go on. */
interface Limits {
  /** By performance.now(), which does not jump when the clock is set. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** Refused without sending anything, with headers that say whether keys are honoured. */
const probe: Call = { method: 'POST', path: '/v1/messages/text', body: {} };
const longestBackoffMs = 10_000;
const passing: ReadonlySet<number> = new Set([502, 503, 504]);

/** Makes requests, and repeats them where that helps and is safe. */
export class Transport {
  /** What is left of the limit of sends. */
  readonly allowance = new Allowance();
  readonly #options: ClientOptions;
  /** Whether the gateway honours keys; null until an answer has shown it. */
  #keysHold: boolean | null = null;

  constructor(options: ClientOptions) {
    const { baseUrl, apiKey } = options;
    this.#options = { ...options, baseUrl: baseUrlOf(baseUrl), ...(apiKey === undefined ? {} : { apiKey: apiKeyOf(apiKey) }) };
  }

  async call(call: Call, { signal, deadlineMs = this.#options.deadlineMs ?? 300_000 }: CallOptions = {}): Promise<unknown> {
    const limits = { deadline: performance.now() + deadlineMs, signal };
    /** Whether an earlier request may have been carried out. One that the limiter refused was not. */
    let doubted = false;
    for (let attempts = 1; ; attempts++) {
      const result = await this.#attempt(call, { attempts, doubted }, limits);
      if (result.error === null) return result.data;
      if (doubted && call.gone !== undefined && isApiError(result.error, 'instance_not_found')) return call.gone;
      const ms = this.#waitBefore(result, attempts);
      if (ms === null || performance.now() + ms >= limits.deadline) throw result.error;
      await wait(ms, signal);
      if (result.status === 429) continue;
      if (!(await this.#mayRepeat(call, limits))) throw result.error;
      doubted = true;
    }
  }

  async #attempt(call: Call, { attempts, doubted }: Try, { deadline, signal }: Limits): Promise<Exchange> {
    const { baseUrl: base, apiKey, timeoutMs = 90_000, fetch = globalThis.fetch.bind(globalThis), onAnswer } = this.#options;
    const number = this.allowance.begin();
    const left = Math.max(1, Math.min(timeoutMs, deadline - performance.now()));
    let limited: Headers | null = null;
    let result: Exchange;
    try {
      result = await exchange(call, { base, apiKey, fetch, timeoutMs: left, attempts, doubted, signal });
      if (result.headers?.get('x-ratelimit-scope') === 'messages') limited = result.headers;
    } finally {
      this.allowance.end(number, limited);
    }
    const { headers, status, requestId } = result;
    if (headers === null || status === null || requestId === null) return result;
    // The limiter comes before what reads the key.
    if (limited !== null && status !== 429 && call.path.startsWith('/v1/messages/')) this.#keysHold = headers.has('idempotency-replayed');
    const replayed = headers.get('idempotency-replayed') === 'true';
    onAnswer?.({ method: call.method, path: call.path, status, requestId, attempts, replayed });
    return result;
  }

  /** Milliseconds until the request may be repeated; null when that cannot help. */
  #waitBefore({ error, headers, status }: Exchange, attempts: number): number | null {
    const { backoffMs = 250 } = this.#options;
    const named = Number(headers?.get('retry-after') ?? Number.NaN) * 1000;
    // Everybody waits for another time, so that not all come back at once.
    const jitter = Math.random() * Math.min(longestBackoffMs, backoffMs * 2 ** Math.min(attempts - 1, 16));
    if (status !== null && status !== 429 && !passing.has(status)) return null;
    if (!Number.isNaN(named)) return named + jitter;
    if (status !== 429) return jitter;
    return 1000 * ((isApiError(error) ? error.details.retry_after_seconds : undefined) ?? 1) + jitter;
  }

  /** Whether a request that may have been carried out can be repeated without doing it twice. */
  async #mayRepeat(call: Call, limits: Limits): Promise<boolean> {
    if (call.key === undefined) return isRepeatable(call);
    for (let attempts = 1; this.#keysHold === null && performance.now() < limits.deadline; attempts++) {
      const result = await this.#attempt(probe, { attempts, doubted: false }, limits);
      const ms = this.#waitBefore(result, attempts);
      if (ms === null || performance.now() + ms >= limits.deadline) break;
      await wait(ms, limits.signal);
    }
    return this.#keysHold === true;
  }
}
