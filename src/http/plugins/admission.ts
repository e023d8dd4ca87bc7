import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { admitted } from '../../accounts/index.ts';
import type { RateDecision, RateLimiter } from '../../coordination/index.ts';
import { type Clock, GatewayError, hashApiKey } from '../../core/index.ts';
import { sinceStart } from '../../messages/index.ts';
import type { HotPath } from '../../store/index.ts';
import type { Admitted } from '../request.ts';
import type { SessionPath } from '../session-path.ts';

type Scope = 'messages' | 'instances' | 'sandbox';

/** Requests per minute of the `instances` scope (contract, "Limits"). */
const instancesPerMinute = 120;
/** Looks at what the sandbox's contacts received. Tests ask again and again until a message is there, so it is more than `instances` has. */
const sandboxPerMinute = 1200;

interface AdmissionOptions {
  readonly hot: HotPath;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly sessionPath: SessionPath;
}

/** What a route asks of its caller. `scope: null`: no rate limit. */
interface Demands {
  readonly scope: Scope | null;
  readonly planRequired: boolean;
  /** Who may come: keys alone, which is what is meant when nothing is said, people signed in at the portal too, or only they. */
  readonly callers?: 'keys' | 'both' | 'sessions';
}

/** Makes the checks before the body, in the contract's order: key or session, account, access period, plan, rate limit (decisions §2). */
export function createAdmission({ hot, limiter, clock, sessionPath }: AdmissionOptions): (demands: Demands) => onRequestHookHandler {
  return (demands) => {
    const { scope, callers = 'keys' } = demands;

    /** The rest of the checks for whoever asks; `name` is whose budget of requests it is. */
    const judge = (
      request: FastifyRequest,
      reply: FastifyReply,
      admission: Admitted | null,
      name: string,
      now: number,
      done: Done,
    ): void => {
      let decision: RateDecision | Promise<RateDecision> | null;
      try {
        note(request, admission);
        request.admission = admitted(admission, now, demands);
        decision = scope === null ? null : limiter.take(`${name} ${scope}`, limitOf(request, scope));
      } catch (error) {
        done(error as Error);
        return;
      }
      if (decision === null || scope === null) done();
      else if (decision instanceof Promise) finishLater(decision, request, reply, scope, done);
      else done(limited(request, reply, decision, scope));
    };

    const bySession = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
      sessionPath.admit(request).then(({ sessionId, actor, terms }) => {
        request.actor = actor;
        judge(request, reply, { ...terms, keyId: null }, sessionId, clock.now(), done);
      }, done);
    };

    return (request, reply, done) => {
      const key = request.headers.apikey;
      if (callers === 'sessions' || (callers === 'both' && key === undefined && sessionPath.isTaken(request))) {
        bySession(request, reply, done);
        return;
      }
      if (typeof key !== 'string' || key === '') {
        done(new GatewayError('missing_api_key', 'The apikey header is missing.'));
        return;
      }
      const now = clock.now();
      hot
        .admit({ keyHash: hashApiKey(key), now })
        .then((admission) => judge(request, reply, admission, admission?.keyId ?? '', now, done), done);
    };
  };
}

type Done = (error?: Error) => void;

/** Before the checks, so that support finds a refused account's requests under it. */
function note({ trace }: FastifyRequest, admission: Admitted | null): void {
  if (admission === null) return;
  trace.accountId = admission.accountId;
  trace.keyId = admission.keyId;
}

// Apart, so that the limiter of a single process, which decides at once, pays for no more closures.
function finishLater(decision: Promise<RateDecision>, request: FastifyRequest, reply: FastifyReply, scope: Scope, done: Done): void {
  decision.then((late) => done(limited(request, reply, late, scope)), done);
}

function limitOf({ admission }: FastifyRequest, scope: Scope): number {
  if (scope === 'instances') return instancesPerMinute;
  if (scope === 'sandbox') return sandboxPerMinute;
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
  if (decision.admitted) {
    request.trace.validationAt = sinceStart(request.trace);
    return undefined;
  }
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
