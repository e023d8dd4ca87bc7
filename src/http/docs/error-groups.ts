import type { ErrorCode } from '../../core/index.ts';

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
