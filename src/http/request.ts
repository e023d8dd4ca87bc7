import type { Admission } from '../store/index.ts';

/** What the request log will say of a request, gathered on its way. */
export interface Trace {
  readonly startedAt: number;
  accountId: string | null;
  keyId: string | null;
  code: string | null;
  instanceId: string | null;
  messageType: string | null;
  messageId: string | null;
  recipient: string | null;
  idempotency: 'new' | 'replayed' | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every request before anything else runs. */
    trace: Trace;
    /** Who calls; set by the admission hook, so only routes that carry it may read it. */
    admission: Admission;
    /** The checked Idempotency-Key of a send; null without one. */
    idempotencyKey: string | null;
  }
}

/** A trace at the beginning of a request; `startedAt` is in milliseconds of `performance.now()`. */
export function newTrace(startedAt: number): Trace {
  return {
    startedAt,
    accountId: null,
    keyId: null,
    code: null,
    instanceId: null,
    messageType: null,
    messageId: null,
    recipient: null,
    idempotency: null,
  };
}
