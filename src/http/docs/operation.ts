import type { z } from 'zod';
import type { ErrorCode } from '../../core/index.ts';

/** A schema in OpenAPI 3.1, which is JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The groups of the docs page. */
export type TagName = 'Messages' | 'Numbers' | 'Instances' | 'Health' | 'Sandbox';

/** A whole body or `data` as it could be seen on the wire. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** An error as an endpoint answers it; code and status are known from where it stands. */
export interface FailureExample {
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** What the OpenAPI document says of a route besides its path, the schemas that validate its input, and the schema of its answer. */
export interface OperationDocs {
  readonly operationId: string;
  readonly tag: TagName;
  readonly summary: string;
  readonly description: string;
  /** Every code the endpoint answers with. Key, rate-limit headers and idempotency follow from these. */
  readonly errors: readonly ErrorCode[];
  /** Codes that come with another status here than elsewhere. */
  readonly statuses?: Partial<Record<ErrorCode, number>>;
  /** Errors of this endpoint that are better shown than the catalogue's general example. */
  readonly errorExamples?: Partial<Record<ErrorCode, FailureExample>>;
  /** What a 200 means. */
  readonly success: string;
  /** Values of `data`. */
  readonly results: Readonly<Record<string, Example>>;
  readonly bodies?: Readonly<Record<string, Example>>;
  /** Query parameters that the handler reads itself, without a schema of the route. */
  readonly query?: readonly QueryParameter[];
  /** Descriptions of input fields that do not carry their own. */
  readonly fields?: Readonly<Record<string, string>>;
}

declare module 'fastify' {
  interface FastifySchema {
    /** For the OpenAPI document only; Fastify neither validates nor serialises by it. */
    docs?: OperationDocs;
    /** What `data` of a success is: for the OpenAPI document and, as the route's `Reply`, for the handler's type. No answer is checked against it. */
    data?: z.ZodType;
  }
}

// The checks before the body run in this order (contract, "Authentication" §8), so each group contains the one before.

/** What every endpoint can answer that needs a key. */
export const keyedErrors = [
  'missing_api_key',
  'invalid_api_key',
  'account_suspended',
  'access_expired',
  'internal_error',
  'upstream_unavailable',
] as const satisfies readonly ErrorCode[];

/** What every endpoint with a rate limit can answer. */
export const limitedErrors = [...keyedErrors, 'rate_limit_exceeded'] as const satisfies readonly ErrorCode[];

/** What every endpoint can answer that needs an active plan. */
export const planErrors = [...limitedErrors, 'no_active_subscription', 'subscription_expired'] as const satisfies readonly ErrorCode[];

/** What every endpoint can answer that reads a body. */
export const bodyErrors = ['invalid_request', 'payload_too_large'] as const satisfies readonly ErrorCode[];

/** What every send can answer. */
export const sendErrors = [
  ...planErrors,
  ...bodyErrors,
  'invalid_recipient',
  'idempotency_key_reused',
  'instance_not_found',
  'instance_not_connected',
  'trial_quota_exceeded',
] as const satisfies readonly ErrorCode[];

/** What decides before the rate limiter, so without its headers. */
export const beforeLimiter: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'missing_api_key',
  'invalid_api_key',
  'account_suspended',
  'access_expired',
  'no_active_subscription',
  'subscription_expired',
]);
