import { Counter, Histogram, type Registry } from 'prom-client';
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
