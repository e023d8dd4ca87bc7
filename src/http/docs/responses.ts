import { catalogue, type ErrorCode } from '../../core/index.ts';
import { failureSchema, successSchema } from './envelope.ts';
import { detailFields, failureExamples } from './error-examples.ts';
import { beforeLimiter } from './error-groups.ts';
import { exampleRequestId } from './examples.ts';
import { headerRefs } from './headers.ts';
import type { Example, JsonSchema, OperationDocs } from './operation.ts';

/** A response of the document. */
export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { $ref: string }>>;
  readonly content: {
    readonly 'application/json': { readonly schema: JsonSchema; readonly examples: Readonly<Record<string, Example>> };
  };
}

/**
 * Every response of an operation by its status, the codes of one status together. `data` is the schema of a success, `codes` are those of
 * `docs` that can occur in this deployment.
 */
export function responsesOf(docs: OperationDocs, data: JsonSchema, codes: readonly ErrorCode[]): Record<string, Response> {
  const kept = { limited: codes.includes('rate_limit_exceeded'), replayed: codes.includes('idempotency_key_reused') };
  const statusOf = (code: ErrorCode): number => docs.statuses?.[code] ?? catalogue[code].status;
  const responses: Record<string, Response> = { 200: success(docs, data, kept) };
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

function success(docs: OperationDocs, data: JsonSchema, kept: { limited: boolean; replayed: boolean }): Response {
  const examples = Object.entries(docs.results).map(([name, { summary, value }]): [string, Example] => [
    name,
    { summary, value: { success: true, data: value, request_id: exampleRequestId } },
  ]);
  return {
    description: docs.success,
    headers: headerRefs({ ...kept, retryAfter: false }),
    content: { 'application/json': { schema: successSchema(data), examples: Object.fromEntries(examples) } },
  };
}

function failure(codes: readonly ErrorCode[], docs: OperationDocs, kept: { limited: boolean; replayed: boolean }): Response {
  const afterLimiter = codes.some((code) => !beforeLimiter.has(code));
  // The idempotency header is set by what comes after the limiter, so a 429 is without it.
  const replayed = kept.replayed && codes.some((code) => !beforeLimiter.has(code) && code !== 'rate_limit_exceeded');
  const retryAfter = codes.includes('rate_limit_exceeded') || codes.includes('qr_unavailable');
  const fields = new Set(codes.flatMap((code) => detailsOf(code)));
  const details = Object.fromEntries(Object.entries(detailFields).filter(([name]) => fields.has(name)));
  const examples = codes.map((code): [string, Example] => {
    const error = { code, ...(docs.errorExamples?.[code] ?? failureExamples[code]) };
    return [code, { summary: catalogue[code].condition, value: { success: false, error, request_id: exampleRequestId } }];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${catalogue[code].condition} ${catalogue[code].cure}`).join('\n\n'),
    headers: headerRefs({ limited: kept.limited && afterLimiter, replayed, retryAfter }),
    content: { 'application/json': { schema: failureSchema(codes, details), examples: Object.fromEntries(examples) } },
  };
}

function detailsOf(code: ErrorCode): readonly string[] {
  const entry = catalogue[code];
  return 'details' in entry ? entry.details : [];
}
