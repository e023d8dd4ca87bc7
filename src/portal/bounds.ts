import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { RateLimiter } from '../coordination/index.ts';
import { GatewayError } from '../core/index.ts';

/** How often something may be asked per minute, and by whom. */
export interface Bound {
  /** Whose budget it is. */
  readonly name: string;
  readonly perMinute: number;
  /** `details.scope` of the refusal. */
  readonly scope: 'portal' | 'sign_in' | 'mails' | 'searches' | 'exports' | 'bulk' | 'alerts';
}

/** Counts a request; throws rate_limit_exceeded, with Retry-After, when the budget is used up. */
export async function bound(limiter: RateLimiter, reply: FastifyReply, { name, perMinute, scope }: Bound): Promise<void> {
  const decision = await limiter.take(name, perMinute);
  if (!decision.admitted) throw tooMany(reply, decision.resetSeconds, { limit_per_minute: perMinute, scope });
}

const exportsPerMinute = 20;

/** What one person, and all who act at one account or provider together, may cause per minute. */
const budgets = {
  mails: { person: 20, place: 60 },
  searches: { person: 120, place: 300 },
  /** Tests and repetitions: each sends something to somewhere. */
  alerts: { person: 10, place: 20 },
} as const;

/**
 * The same by person, and by the account or provider that it concerns: several sessions give a person no second budget, and several people
 * give an account only so much more. `place` null: it concerns none.
 */
export async function boundFor(
  limiter: RateLimiter,
  reply: FastifyReply,
  scope: keyof typeof budgets,
  { userId, place }: { readonly userId: string; readonly place: string | null },
): Promise<void> {
  await bound(limiter, reply, { name: `${scope} of ${userId}`, perMinute: budgets[scope].person, scope });
  if (place !== null) await bound(limiter, reply, { name: `${scope} at ${place}`, perMinute: budgets[scope].place, scope });
}

/** Counts a search in what is kept of the log or across accounts: it costs more than a look at a page, whoever asks and in how many sessions. */
export async function boundSearches(
  limiter: RateLimiter,
  reply: FastifyReply,
  { userId, acting }: { readonly userId: string; readonly acting: { readonly accountId: string } | null },
): Promise<void> {
  await boundFor(limiter, reply, 'searches', { userId, place: acting?.accountId ?? null });
}

/** Counts a file of a list or of usage: it reads far more than a page shows. */
export async function boundExports(limiter: RateLimiter, reply: FastifyReply, userId: string): Promise<void> {
  await bound(limiter, reply, { name: `exports of ${userId}`, perMinute: exportsPerMinute, scope: 'exports' });
}

/**
 * Hook, after `signedIn`, of searches at the server that owns a number: what is counted in their handlers is not counted of requests that another
 * server answers.
 */
export function boundsSearches(limiter: RateLimiter): onRequestAsyncHookHandler {
  return async (request, reply) => {
    if (request.forwarded === null) await boundSearches(limiter, reply, request.visitor);
  };
}

export function tooMany(reply: FastifyReply, seconds: number, details: { limit_per_minute?: number; scope: Bound['scope'] }): GatewayError {
  reply.header('retry-after', seconds);
  const wait = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} s`;
  return new GatewayError('rate_limit_exceeded', `Too many attempts; try again in ${wait}.`, { retry_after_seconds: seconds, ...details });
}
