import { z } from 'zod';
import type { Method } from '../../coordination/index.ts';
import type { Trace } from '../request.ts';

const text = z.string().nullable();
const mark = z.number();

/** What the node that did the work noted of it: the node that was asked has it in its request log. */
const traceNotes = z.object({
  code: text,
  // Absent from a server of the release before.
  errorMessage: text.default(null),
  instanceId: text,
  messageType: text,
  messageId: text,
  recipient: text,
  mediaHost: text.default(null),
  idempotency: z.enum(['new', 'replayed']).nullable(),
  validationAt: mark,
  claimAt: mark,
  mediaAt: mark,
  networkAt: mark,
  settleAt: mark,
  answeredAt: mark,
});

export type TraceNotes = z.output<typeof traceNotes>;

const markNames = ['validationAt', 'claimAt', 'mediaAt', 'networkAt', 'settleAt', 'answeredAt'] as const;

const request = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  /** JSON; null: none. */
  body: text,
  // Absent from a server of the release before.
  https: z.boolean().default(false),
});

/** `moved`: the node does not own the number any more, and did nothing. */
const answer = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('answered'),
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    notes: traceNotes,
  }),
  z.object({ outcome: z.literal('moved') }),
]);

export type ForwardedRequest = z.output<typeof request>;
export type ForwardedAnswer = z.output<typeof answer>;

/** An HTTP request that the owner of its number answers in the place of the node that got it. */
export const forwardedRequest: Method<ForwardedRequest, ForwardedAnswer> = { name: 'request', payload: request, answer };

/** What a trace tells of the work. */
export function notesOf(trace: Trace): TraceNotes {
  const { code, errorMessage, instanceId, messageType, messageId, recipient, mediaHost, idempotency, ...rest } = trace;
  const { validationAt, claimAt, mediaAt, networkAt, settleAt, answeredAt } = rest;
  const marks = { validationAt, claimAt, mediaAt, networkAt, settleAt, answeredAt };
  return { code, errorMessage, instanceId, messageType, messageId, recipient, mediaHost, idempotency, ...marks };
}

/** Takes over what the other node noted; it began `startedAt` microseconds after this node did. */
export function takeNotes(trace: Trace, notes: TraceNotes, startedAt: number): void {
  const validationAt = trace.validationAt;
  Object.assign(trace, notes);
  for (const name of markNames) if (trace[name] >= 0) trace[name] += startedAt;
  // The request was let in here.
  trace.validationAt = validationAt;
}
