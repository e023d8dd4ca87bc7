import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RateLimiter } from '../coordination/index.ts';
import type { SessionEvents } from '../sessions/index.ts';
import type { RequestRecord } from '../store/index.ts';

/** An answered request; `route` is null for a path that no route has. */
export interface CountedAnswer {
  readonly route: string | null;
  readonly record: Pick<RequestRecord, 'method' | 'status' | 'code' | 'duration_ms' | 'message_type' | 'idempotency' | 'stages'>;
}

/** Methods that routes have. Anybody can send others, and each would be a series of its own. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PATCH', 'DELETE', 'HEAD']);
const stageNames = ['admission', 'validation', 'claim', 'media', 'network', 'settle'] as const;
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const stageSeconds = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counts requests, sends and the stages of sends. Labels hold nothing that a caller chooses. */
export function countAnswers(registry: Registry): (answered: CountedAnswer) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Answered requests; route is the pattern of the path, code the error code or ok.',
    labelNames: ['method', 'route', 'status', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'From the head of a request to its answer.',
    labelNames: ['route'],
    buckets: requestSeconds,
    registers,
  });
  const sends = new Counter({
    name: 'gateway_sends_total',
    help: 'Sends by message kind; outcome is sent, replayed (the stored answer of an earlier send with the same key) or the error code.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const stages = new Histogram({
    name: 'gateway_send_stage_seconds',
    help: 'How long each stage of a send took, as in the request log.',
    labelNames: ['stage'],
    buckets: stageSeconds,
    registers,
  });

  return ({ route, record }) => {
    const { method, status, code, duration_ms, message_type, idempotency, stages: took } = record;
    const pattern = route ?? 'none';
    requests.inc({ method: methods.has(method) ? method : 'other', route: pattern, status, code: code ?? 'ok' });
    durations.observe({ route: pattern }, duration_ms / 1000);
    if (message_type === null) return;
    sends.inc({ kind: message_type, outcome: code ?? (idempotency === 'replayed' ? 'replayed' : 'sent') });
    if (took === null) return;
    for (const stage of stageNames) {
      const ms = took[stage];
      if (ms !== null) stages.observe({ stage }, ms / 1000);
    }
  };
}

/** A limiter that all servers share, and that may have to do without the others. */
interface Shared extends RateLimiter {
  readonly fallenBack: boolean;
  onChange(listener: (fallenBack: boolean) => void): () => void;
}

export interface WatchedLimits {
  /** The same limiter, whose refusals are counted. */
  limited(limiter: RateLimiter): RateLimiter;
  /** Counts how often the limiter has to do without Redis. */
  watchShared(limiter: Shared): void;
}

export function countLimits(registry: Registry): WatchedLimits {
  const registers = [registry];
  const refusals = new Counter({ name: 'gateway_rate_limit_refusals_total', help: 'Requests that a rate limit refused.', registers });
  const fallbacks = new Counter({
    name: 'gateway_rate_limit_fallbacks_total',
    help: 'Times that Redis went down and this server counted its share of the limits on its own.',
    registers,
  });
  return {
    limited(limiter) {
      const count = <Decision extends { readonly admitted: boolean }>(decision: Decision): Decision => {
        if (!decision.admitted) refusals.inc();
        return decision;
      };
      return {
        take(name, limit) {
          const decision = limiter.take(name, limit);
          return decision instanceof Promise ? decision.then(count) : count(decision);
        },
      };
    },
    watchShared(limiter) {
      limiter.onChange((fallenBack) => {
        if (fallenBack) fallbacks.inc();
      });
      new Gauge({
        name: 'gateway_rate_limit_fallen_back',
        help: '1 while this server counts rate limits on its own, because Redis is down.',
        registers,
        collect() {
          this.set(limiter.fallenBack ? 1 : 0);
        },
      });
    },
  };
}

/** Counts what happens to links, and to the right to connect numbers. */
export function countOwnership(registry: Registry): SessionEvents {
  const registers = [registry];
  const ended = new Counter({
    name: 'gateway_links_ended_total',
    help: 'Links to a network that ended without a request; lost and restart reconnect.',
    labelNames: ['network', 'reason'],
    registers,
  });
  const taken = new Counter({
    name: 'gateway_numbers_taken_total',
    help: 'Numbers without an owner that this server took.',
    registers,
  });
  const given = new Counter({ name: 'gateway_numbers_given_total', help: 'Numbers that this server gave back for others.', registers });
  const lost = new Counter({
    name: 'gateway_ownership_lost_total',
    help: 'Times that this server lost its right to all of its numbers.',
    registers,
  });
  const stale = new Counter({
    name: 'gateway_stale_writes_refused_total',
    help: 'Writes that were refused because their epoch had ended: another server owned the number.',
    registers,
  });
  return {
    linkEnded: (network, reason) => ended.inc({ network, reason }),
    taken: (numbers) => taken.inc(numbers),
    given: (numbers) => given.inc(numbers),
    rightLost: () => lost.inc(),
    staleWriteRefused: () => stale.inc(),
  };
}

const batchSizes = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Counts what the store does for sends. */
export function countStore(registry: Registry): { readonly onBatch: (calls: number) => void; readonly onRetaken: () => void } {
  const batches = new Histogram({
    name: 'gateway_store_batch_calls',
    help: 'How many calls of the hot path ran in one transaction or statement.',
    buckets: batchSizes,
    registers: [registry],
  });
  const retaken = new Counter({
    name: 'gateway_claims_retaken_total',
    help: 'Sends that took over the claim of an earlier try with an unknown outcome, and sent under the same message id.',
    registers: [registry],
  });
  return { onBatch: (size) => batches.observe(size), onRetaken: () => retaken.inc() };
}
