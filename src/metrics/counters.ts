import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RateLimiter, SharedRateLimiter } from '../coordination/index.ts';
import { stageNames } from '../core/index.ts';
import { closeReasons, type NetworkName } from '../networks/index.ts';
import type { SessionEvents } from '../sessions/index.ts';
import type { RequestRecord } from '../store/index.ts';

/** An answered request; `route` is null for a path that no route has. */
interface CountedAnswer {
  readonly route: string | null;
  readonly record: Pick<RequestRecord, 'method' | 'status' | 'code' | 'duration_ms' | 'message_type' | 'idempotency' | 'stages'>;
}

/** Methods that routes have. Anybody can send others, and each would be a series of its own. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']);
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const stageSeconds = [0.001, ...requestSeconds];
const batchCalls = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Counts what happens as it happens. Labels hold nothing that a caller chooses. */
export function addCounters(registry: Registry, networks: readonly NetworkName[]) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const requests = counter(
    'gateway_requests_total',
    'Answered requests; route is the pattern of the path, code the error code or ok.',
    ...(['method', 'route', 'status', 'code'] as const),
  );
  const durations = histogram('gateway_request_duration_seconds', 'From the head of a request to its answer.', requestSeconds, 'route');
  const sends = counter(
    'gateway_sends_total',
    'Sends by message kind; outcome is sent, replayed (the stored answer of an earlier send with the same key) or the error code.',
    ...(['kind', 'outcome'] as const),
  );
  const stages = histogram(
    'gateway_send_stage_seconds',
    'How long each stage of a send took, as in the request log.',
    stageSeconds,
    'stage',
  );
  const batches = histogram('gateway_store_batch_calls', 'How many calls of the hot path ran in one transaction or statement.', batchCalls);
  const retaken = counter(
    'gateway_claims_retaken_total',
    'Sends that took over the claim of an earlier try with an unknown outcome, and sent under the same message id.',
  );
  const refusals = counter('gateway_rate_limit_refusals_total', 'Requests that a rate limit refused.');
  const fallbacks = counter(
    'gateway_rate_limit_fallbacks_total',
    'Times that Redis went down and this server counted its share of the limits on its own.',
  );
  const ended = counter(
    'gateway_links_ended_total',
    'Links to a network that ended without a request; lost and restart reconnect.',
    ...(['network', 'reason'] as const),
  );
  // Prometheus sees no increase in a series whose first value is 1.
  for (const network of networks) for (const reason of closeReasons) ended.inc({ network, reason }, 0);
  const taken = counter('gateway_numbers_taken_total', 'Numbers without an owner that this server took.');
  const given = counter('gateway_numbers_given_total', 'Numbers that this server gave back for others.');
  const lost = counter('gateway_ownership_lost_total', 'Times that this server lost its right to all of its numbers.');
  const stale = counter(
    'gateway_stale_writes_refused_total',
    'Writes that were refused because their epoch had ended: another server owned the number.',
  );
  const sessions: SessionEvents = {
    connectionEnded: (network, reason) => ended.inc({ network, reason }),
    taken: (numbers) => taken.inc(numbers),
    given: (numbers) => given.inc(numbers),
    rightLost: () => lost.inc(),
    staleWriteRefused: () => stale.inc(),
  };
  const countRefusal = <Decision extends { readonly admitted: boolean }>(decision: Decision): Decision => {
    if (!decision.admitted) refusals.inc();
    return decision;
  };

  return {
    sessions,
    onAnswered({ route, record }: CountedAnswer): void {
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
    },
    /** So many calls of the store's hot path ran together. */
    onBatch: (calls: number): void => batches.observe(calls),
    /** A send took over the claim of an earlier try. */
    onRetaken: (): void => retaken.inc(),
    /** The same limiter, whose refusals are counted. */
    limited: (limiter: RateLimiter): RateLimiter => ({
      take(name, limit) {
        const decision = limiter.take(name, limit);
        return decision instanceof Promise ? decision.then(countRefusal) : countRefusal(decision);
      },
    }),
    /** Counts how often the limiter has to do without Redis. */
    watchShared(limiter: SharedRateLimiter): void {
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
