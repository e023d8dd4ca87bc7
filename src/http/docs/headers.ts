/** Response headers, as components of the document. */
export const headers = {
  XRequestId: {
    description: 'The same value as `request_id` in the body; support finds the request by it.',
    schema: { type: 'string', format: 'uuid' },
  },
  XRateLimitScope: {
    description: 'The scope that the other rate-limit headers describe; keep their values per scope.',
    schema: { type: 'string', enum: ['messages', 'instances', 'sandbox'] },
  },
  XRateLimitLimit: { description: 'Requests per minute in this scope.', schema: { type: 'integer', minimum: 0 } },
  XRateLimitRemaining: { description: 'Requests left right now. Above 0: send at once.', schema: { type: 'integer', minimum: 0 } },
  XRateLimitReset: {
    description: 'Seconds until the oldest counted request leaves the window and `X-RateLimit-Remaining` rises by one.',
    schema: { type: 'integer', minimum: 1 },
  },
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 1 } },
  IdempotencyReplayed: {
    description: '`true` when this is the stored result of an earlier request with the same Idempotency-Key and nothing was sent now.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
} as const;

const wireNames: Readonly<Record<keyof typeof headers, string>> = {
  XRequestId: 'X-Request-Id',
  XRateLimitScope: 'X-RateLimit-Scope',
  XRateLimitLimit: 'X-RateLimit-Limit',
  XRateLimitRemaining: 'X-RateLimit-Remaining',
  XRateLimitReset: 'X-RateLimit-Reset',
  RetryAfter: 'Retry-After',
  IdempotencyReplayed: 'Idempotency-Replayed',
};

/** Which headers a response has. */
export interface HeaderChoice {
  readonly limited: boolean;
  readonly replayed: boolean;
  readonly retryAfter: boolean;
}

/** The `headers` of a response: references to the components above, under their names on the wire. */
export function headerRefs({ limited, replayed, retryAfter }: HeaderChoice): Readonly<Record<string, { $ref: string }>> {
  const names: (keyof typeof headers)[] = ['XRequestId'];
  if (limited) names.push('XRateLimitScope', 'XRateLimitLimit', 'XRateLimitRemaining', 'XRateLimitReset');
  if (retryAfter) names.push('RetryAfter');
  if (replayed) names.push('IdempotencyReplayed');
  return Object.fromEntries(names.map((name) => [wireNames[name], { $ref: `#/components/headers/${name}` }]));
}
