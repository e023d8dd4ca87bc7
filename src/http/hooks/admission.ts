import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { admitted } from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import type { RateDecision, RateLimiter } from '../../coordination/index.ts';
import { type Clock, GatewayError, hashApiKey, sinceStart } from '../../core/index.ts';
import type { AccountTerms, HotPath } from '../../store/index.ts';
import type { Admitted } from '../request.ts';

type Scope = 'messages' | 'instances' | 'sandbox' | 'mcp';

/**
 * Requests per minute; of the scope `messages` the plan has them (contract, "Limits"). Tests poll the sandbox for a message, so it allows more;
 * so does MCP, whose calls are counted once more in the scope of what they do.
 */
const perMinute = { instances: 120, sandbox: 1200, mcp: 1200 } as const;

/** The way in for people who are signed in at the portal (contract, "Authentication" §10). The portal fulfils it. */
export interface PortalPath {
  /** Whether a request without a key comes this way: with a session's cookie, or as a page of the portal. */
  isTaken(request: FastifyRequest): boolean;
  /** Who asks, and the account they act for. Throws missing_session, invalid_session and forbidden. */
  admit(request: FastifyRequest): Promise<{
    readonly person: { readonly id: string; readonly email: string };
    readonly actor: Actor;
    readonly terms: AccountTerms;
  }>;
}

interface AdmissionOptions {
  readonly hot: HotPath;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly portalPath: PortalPath;
}

/** What a route asks of its caller. */
interface Demands {
  /** null: no rate limit. */
  readonly scope: Scope | null;
  readonly planRequired: boolean;
  /** Who may call: API keys (the default), people signed in at the portal, or both. */
  readonly callers?: 'keys' | 'both' | 'portal';
  /** The route changes nothing, so people signed in at the portal may call it while their account is suspended. Its keys may not. */
  readonly readOnly?: true;
}

/** The name of the caller's request budget, and the account; null for an unknown key. */
interface Caller {
  readonly budget: string;
  readonly admission: Admitted | null;
}

/** Makes the checks before the body, in the contract's order: key or session, account, access period, plan, rate limit (decisions §2). */
export function createAdmission({ hot, limiter, clock, portalPath }: AdmissionOptions): (demands: Demands) => onRequestAsyncHookHandler {
  async function bySession(request: FastifyRequest): Promise<Caller> {
    const { person, actor, terms } = await portalPath.admit(request);
    request.actor = actor;
    request.trace.person = person;
    // The person at the account takes the key's place, however many sessions they have.
    return { budget: `${person.id} at ${terms.accountId}`, admission: { ...terms, keyId: null } };
  }

  async function byKey({ headers }: FastifyRequest): Promise<Caller> {
    const key = headers.apikey;
    if (typeof key !== 'string' || key === '') throw new GatewayError('missing_api_key', 'The apikey header is missing.');
    const admission = await hot.admit({ keyHash: hashApiKey(key), now: clock.now() });
    return { budget: admission?.keyId ?? '', admission };
  }

  return ({ scope, planRequired, callers = 'keys', readOnly = false }) => {
    return async (request, reply) => {
      const signedIn = callers === 'portal' || (callers === 'both' && request.headers.apikey === undefined && portalPath.isTaken(request));
      const { budget, admission } = signedIn ? await bySession(request) : await byKey(request);
      // Before the checks, so that support finds a refused account's requests under it.
      request.trace.accountId = admission?.accountId ?? null;
      request.trace.keyId = admission?.keyId ?? null;
      request.admission = admitted(admission, clock.now(), { planRequired, suspendedToo: signedIn && readOnly });
      // A forwarded request was counted where it came in, and an inner one with all the others.
      if (scope !== null && request.forwarded === null && !request.isInner) {
        const limit = scope === 'messages' ? request.admission.messagesPerMinute : perMinute[scope];
        if (limit === null) throw new Error('a route of the messages scope must require a plan');
        const taken = limiter.take(`${budget} ${scope}`, limit);
        // A limiter in this process decides at once.
        limited(reply, taken instanceof Promise ? await taken : taken, scope, limit);
      }
      request.trace.validationAt = sinceStart(request.trace);
    };
  };
}

/** Sets the headers of a request that reached the limiter. Throws rate_limit_exceeded when it was refused. */
function limited(reply: FastifyReply, decision: RateDecision, scope: Scope, limit: number): void {
  reply
    .header('x-ratelimit-scope', scope)
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', decision.remaining)
    .header('x-ratelimit-reset', decision.resetSeconds);
  if (decision.admitted) return;
  reply.header('retry-after', decision.resetSeconds);
  throw new GatewayError(
    'rate_limit_exceeded',
    `Over ${limit} requests per minute in the scope ${scope}; retry in ${decision.resetSeconds} s.`,
    {
      retry_after_seconds: decision.resetSeconds,
      limit_per_minute: limit,
      scope,
    },
  );
}
