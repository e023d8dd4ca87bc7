import { STATUS_CODES } from 'node:http';
import { catalogue, type ErrorCode } from '../../core/index.ts';
import { failureExamples } from './error-examples.ts';
import { exampleRequestId } from './examples.ts';
import { beforeLimiter, type Example, type JsonSchema, type OperationDocs } from './operation.ts';

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { $ref: string }>>;
  readonly content: {
    readonly 'application/json': { readonly schema: JsonSchema; readonly examples: Readonly<Record<string, Example>> };
  };
}

/**
 * Every response of an operation by its status, the codes of one status together. `body` is the schema of a success, `codes` are those of
 * `docs` that can occur in this deployment.
 */
export function responsesOf(docs: OperationDocs, body: JsonSchema, codes: readonly ErrorCode[]): Record<string, Response> {
  const kept = { limited: codes.includes('rate_limit_exceeded'), replayed: codes.includes('idempotency_key_reused') };
  const statusOf = (code: ErrorCode): number => docs.statuses?.[code] ?? catalogue[code].status;
  const responses: Record<string, Response> = { 200: success(docs, body, kept) };
  // The catalogue's order, whatever order an endpoint names its codes in.
  for (const code of Object.keys(catalogue) as ErrorCode[]) {
    if (!codes.includes(code)) continue;
    const status = statusOf(code);
    responses[status] ??= failure(
      codes.filter((other) => statusOf(other) === status),
      docs,
      kept,
    );
  }
  return responses;
}

function success(docs: OperationDocs, schema: JsonSchema, kept: { limited: boolean; replayed: boolean }): Response {
  const examples = Object.entries(docs.results).map(([name, { summary, value }]): [string, Example] => [
    name,
    { summary, value: { success: true, data: value, request_id: exampleRequestId } },
  ]);
  return {
    description: docs.success,
    headers: headerRefs({ ...kept, retryAfter: false }),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

function failure(codes: readonly ErrorCode[], docs: OperationDocs, kept: { limited: boolean; replayed: boolean }): Response {
  const afterLimiter = codes.some((code) => !beforeLimiter.has(code));
  // The idempotency header is set by what comes after the limiter, so a 429 is without it.
  const replayed = kept.replayed && codes.some((code) => !beforeLimiter.has(code) && code !== 'rate_limit_exceeded');
  const retryAfter = codes.includes('rate_limit_exceeded') || codes.includes('qr_unavailable');
  const examples = codes.map((code): [string, Example] => {
    const error = { code, ...(docs.errorExamples?.[code] ?? failureExamples[code]) };
    return [code, { summary: catalogue[code].condition, value: { success: false, error, request_id: exampleRequestId } }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].condition} ${catalogue[code].cure}`).join('\n\n'),
    headers: headerRefs({ limited: kept.limited && afterLimiter, replayed, retryAfter }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' }, examples: Object.fromEntries(examples) } },
  };
}

interface Ref {
  readonly $ref: string;
}

/** The responses that several operations have in common, as components, and the references to them. */
export interface SharedResponses {
  readonly components: Record<string, Response>;
  /** The response itself, or a reference when it is shared. */
  place(status: string, response: Response): Response | Ref;
}

/** Finds equal responses among those of all operations: 401 is the same nearly everywhere, and easier to read when it stands once. */
export function shareResponses(all: readonly Readonly<Record<string, Response>>[]): SharedResponses {
  const uses = new Map<string, number>();
  const keyOf = (status: string, response: Response) => `${status} ${JSON.stringify(response)}`;
  for (const responses of all) {
    for (const [status, response] of Object.entries(responses)) {
      const key = keyOf(status, response);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  const components: Record<string, Response> = {};
  const names = new Map<string, string>();
  return {
    components,
    place(status, response) {
      const key = keyOf(status, response);
      if ((uses.get(key) ?? 0) < 2) return response;
      let name = names.get(key);
      if (name === undefined) {
        name = freeName((STATUS_CODES[status] ?? status).replace(/[^A-Za-z]/g, ''), components);
        names.set(key, name);
        components[name] = response;
      }
      return { $ref: `#/components/responses/${name}` };
    },
  };
}

/** The reason phrase, numbered from the second variant on. */
function freeName(base: string, taken: Readonly<Record<string, unknown>>): string {
  let name = base;
  for (let number = 2; name in taken; number++) name = `${base}${number}`;
  return name;
}

/** Response headers by their names on the wire. */
const headers = {
  'X-Request-Id': {
    description: 'The same value as `request_id` in the body; support finds the request by it.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Scope': {
    description: 'The scope that the other rate-limit headers describe; keep their values per scope.',
    schema: { type: 'string', enum: ['messages', 'instances', 'sandbox'] },
  },
  'X-RateLimit-Limit': { description: 'Requests per minute in this scope.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Remaining': { description: 'Requests left right now. Above 0: send at once.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': {
    description: 'Seconds until the oldest counted request leaves the window and `X-RateLimit-Remaining` rises by one.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 1 } },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored result of an earlier request with the same Idempotency-Key and nothing was sent now.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
} as const;

/** `webhook-id` as `WebhookId`: the names of components have no dashes. */
export const componentOf = (header: string) => header.replace(/(?:^|-)([a-z])/gi, (_, letter: string) => letter.toUpperCase());

export function headerComponents(idempotency: boolean): Readonly<Record<string, object>> {
  const used = Object.entries(headers).filter(([name]) => idempotency || name !== 'Idempotency-Replayed');
  return Object.fromEntries(used.map(([name, header]) => [componentOf(name), header]));
}

export interface HeaderChoice {
  readonly limited: boolean;
  readonly replayed: boolean;
  readonly retryAfter: boolean;
}

/** The `headers` of a response: references to the components above, under their names on the wire. */
export function headerRefs({ limited, replayed, retryAfter }: HeaderChoice): Readonly<Record<string, { $ref: string }>> {
  const names: (keyof typeof headers)[] = ['X-Request-Id'];
  if (limited) names.push('X-RateLimit-Scope', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  if (retryAfter) names.push('Retry-After');
  if (replayed) names.push('Idempotency-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentOf(name)}` }]));
}
