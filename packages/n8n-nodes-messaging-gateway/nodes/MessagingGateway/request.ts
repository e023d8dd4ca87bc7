import type { IDataObject, IExecuteFunctions, IHttpRequestMethods, ILoadOptionsFunctions, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';

export interface Call {
  readonly method: IHttpRequestMethods;
  readonly path: string;
  readonly body?: IDataObject;
  /** The key of a send. Everything else that this node asks for may be repeated. */
  readonly key?: string;
  readonly itemIndex: number;
}

export interface Answer {
  readonly data: IDataObject;
  readonly requestId: string;
  /** Whether an earlier request with the same key had sent the message. */
  readonly replayed: boolean;
}

interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly doc_url?: string;
  readonly details?: IDataObject;
}

type Envelope = { readonly request_id: string } & (
  | { readonly success: true; readonly data: IDataObject }
  | { readonly success: false; readonly error: ApiError }
);

/** How one request ended; status and envelope are null without an answer, the envelope also when somebody else answered. */
interface Attempt {
  readonly status: number | null;
  readonly headers: IDataObject;
  readonly envelope: Envelope | null;
  readonly cause?: string;
}

type Context = IExecuteFunctions | ILoadOptionsFunctions;

const credential = 'messagingGatewayApi';
const timeoutMs = 90_000;
const deadlineMs = 600_000;
const mostFailures = 5;
const passing: ReadonlySet<number | null> = new Set([null, 502, 503, 504]);
/** Refused without sending anything, with a header if keys are honoured. */
const probe = { method: 'POST', path: '/v1/messages/text', body: {} } as const;

/** Makes a request, and repeats it where that helps and cannot do anything twice. Throws a NodeApiError. */
export async function request(context: Context, call: Call): Promise<Answer> {
  const deadline = Date.now() + deadlineMs;
  /** The last outcome of a send that nobody knows, until the gateway has shown that it honours keys. */
  let unknown: Attempt | null = null;
  let doubted = false;
  for (let failures = 0; ; ) {
    const asked = unknown === null ? call : { ...probe, itemIndex: call.itemIndex };
    const result = await attempt(context, asked);
    if (unknown !== null && result.envelope !== null && result.status !== 429) {
      if (result.headers['idempotency-replayed'] === undefined) throw failure(context, call, unknown, doubted);
      unknown = null;
      continue;
    }
    if (result.envelope?.success === true) {
      const { data, request_id: requestId } = result.envelope;
      return { data, requestId, replayed: result.headers['idempotency-replayed'] === 'true' };
    }
    if (result.status !== 429) failures += 1;
    const pause = pauseAfter(result, failures);
    if (pause === null || Date.now() + pause > deadline) throw failure(context, call, unknown ?? result, doubted);
    await sleep(pause);
    stopIfCancelled(context);
    if (call.key === undefined || result.status === 429) continue;
    doubted = true;
    if (result.headers['idempotency-replayed'] === undefined) unknown ??= result;
  }
}

/** n8n does not interrupt a node whose execution was cancelled. */
export function stopIfCancelled(context: Context): void {
  const cancelled = 'getExecutionCancelSignal' in context && context.getExecutionCancelSignal()?.aborted === true;
  if (cancelled) throw new NodeOperationError(context.getNode(), 'The execution was cancelled');
}

async function attempt(context: Context, { method, path, body, key, itemIndex }: Call): Promise<Attempt> {
  const { address } = await context.getCredentials<{ address: string }>(credential, itemIndex);
  const options = {
    ...{ method, url: address.trim().replace(/\/+$/, '') + path, json: true, timeout: timeoutMs },
    ...(body === undefined ? {} : { body }),
    headers: { accept: 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
    ...{ returnFullResponse: true, ignoreHttpStatusErrors: true },
    // The key must not follow to another server.
    disableFollowRedirect: true,
  };
  try {
    const response = (await context.helpers.httpRequestWithAuthentication.call(context, credential, options)) as {
      readonly statusCode: number;
      readonly headers: IDataObject;
      readonly body: unknown;
    };
    return { status: response.statusCode, headers: response.headers, envelope: envelopeOf(response.body) };
  } catch (error) {
    return { status: null, headers: {}, envelope: null, cause: (error as Error).message };
  }
}

/** The gateway's own body; null for a proxy's error page and the like. */
function envelopeOf(body: unknown): Envelope | null {
  const own = typeof body === 'object' && body !== null && 'success' in body && 'request_id' in body;
  return own ? (body as Envelope) : null;
}

/** Milliseconds until the request may be repeated; null when that cannot help. */
function pauseAfter({ status, headers }: Attempt, failures: number): number | null {
  const named = Number(headers['retry-after'] ?? Number.NaN) * 1000;
  if (status === 429) return (Number.isNaN(named) ? 1000 : named) + Math.random() * 250;
  if (!passing.has(status) || failures >= mostFailures) return null;
  return Number.isNaN(named) ? 250 * 2 ** failures * (0.5 + Math.random()) : named + Math.random() * 250;
}

function failure(context: Context, { key, itemIndex }: Call, { status, envelope, cause }: Attempt, doubted: boolean): NodeApiError {
  const error = envelope?.success === false ? envelope.error : null;
  const answer = {
    ...(error === null ? {} : { code: error.code }),
    ...(status === null ? {} : { status }),
    ...(envelope === null ? {} : { request_id: envelope.request_id }),
    ...(error?.details === undefined ? {} : { details: error.details }),
    ...(key === undefined ? {} : { idempotency_key: key }),
  };
  const nothingSent = error !== null && status !== null && status < 500 && !doubted;
  const unanswered = status === null ? 'The gateway did not answer' : `Answered with ${status}, but not by the gateway`;
  const message = error?.message ?? unanswered;
  const about = error === null ? [cause] : [error.code, `request ${envelope?.request_id}`, error.doc_url];
  if (key !== undefined && !nothingSent) about.push('The message may have gone out; a retry of this execution does not send it twice');
  const description = about.filter((one) => one !== undefined).join('. ');
  const thrown = new NodeApiError(context.getNode(), { message, ...answer } as JsonObject, {
    message,
    description,
    itemIndex,
    ...(status === null ? {} : { httpCode: String(status) }),
  });
  Object.assign(thrown.context, { answer, nothingSent });
  return thrown;
}

/** What the gateway answered to a request that failed; empty for any other error. */
export function answerOf(error: unknown): IDataObject {
  return error instanceof NodeApiError ? ((error.context.answer ?? {}) as IDataObject) : {};
}

/** Whether a send was refused for certain, rather than having an outcome that nobody knows. */
export function isRefusal(error: unknown): boolean {
  return error instanceof NodeApiError && error.context.nothingSent === true;
}
