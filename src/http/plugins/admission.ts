import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { admitted } from '../../accounts/index.ts';
import type { RateDecision, RateLimiter } from '../../coordination/index.ts';
import { type Clock, GatewayError, hashApiKey } from '../../core/index.ts';
import type { Admission, HotPath } from '../../store/index.ts';

type Scope = 'messages' | 'instances';

/** Requests per minute of the `instances` scope (contract, "Limits"). */
const instancesPerMinute = 120;

interface AdmissionOptions {
  readonly hot: HotPath;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

/** What a route asks of its caller. `scope: null`: no rate limit (sandbox). */
interface Demands {
  readonly scope: Scope | null;
  readonly planRequired: boolean;
}

/** Makes the checks before the body, in the contract's order: key, account, access period, plan, rate limit (decisions §2). */
export function createAdmission({ hot, limiter, clock }: AdmissionOptions): (demands: Demands) => onRequestHookHandler {
  return (demands) => (request, reply, done) => {
    const key = request.headers.apikey;
    if (typeof key !== 'string' || key === '') {
      done(new GatewayError('missing_api_key', 'The apikey header is missing.'));
      return;
    }
    const now = clock.now();
    hot.admit({ keyHash: hashApiKey(key), now }).then((admission) => {
      let decision: RateDecision | Promise<RateDecision> | null;
      try {
        note(request, admission);
        request.admission = admitted(admission, now, demands);
        decision =
          demands.scope === null ? null : limiter.take(`${request.admission.keyId} ${demands.scope}`, limitOf(request, demands.scope));
      } catch (error) {
        done(error as Error);
        return;
      }
      if (decision === null || demands.scope === null) done();
      else if (decision instanceof Promise) finishLater(decision, request, reply, demands.scope, done);
      else done(limited(request, reply, decision, demands.scope));
    }, done);
  };
}

/** Before the checks, so that support finds a refused account's requests under it. */
function note({ trace }: FastifyRequest, admission: Admission | null): void {
  if (admission === null) return;
  trace.accountId = admission.accountId;
  trace.keyId = admission.keyId;
}

// Apart, so that the limiter of a single process, which decides at once, pays for no more closures.
function finishLater(
  decision: Promise<RateDecision>,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
  done: (error?: Error) => void,
): void {
  decision.then((late) => done(limited(request, reply, late, scope)), done);
}

function limitOf({ admission }: FastifyRequest, scope: Scope): number {
  if (scope === 'instances') return instancesPerMinute;
  if (admission.messagesPerMinute === null) throw new Error('a route of the messages scope must require a plan');
  return admission.messagesPerMinute;
}

/** Sets the headers of a request that reached the limiter; the error when it was refused. */
function limited(request: FastifyRequest, reply: FastifyReply, decision: RateDecision, scope: Scope): GatewayError | undefined {
  const limit = limitOf(request, scope);
  reply
    .header('x-ratelimit-scope', scope)
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', decision.remaining)
    .header('x-ratelimit-reset', decision.resetSeconds);
  if (decision.admitted) return undefined;
  reply.header('retry-after', decision.resetSeconds);
  return new GatewayError(
    'rate_limit_exceeded',
    `Over ${limit} requests per minute in the scope ${scope}; retry in ${decision.resetSeconds} s.`,
    {
      retry_after_seconds: decision.resetSeconds,
      limit_per_minute: limit,
      scope,
    },
  );
}
