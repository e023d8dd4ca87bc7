import { z } from 'zod';
import type { Method } from '../../coordination/index.ts';
import type { Trace } from '../request.ts';

const text = z.string().nullable();

/** What the node that did the work noted of it: the node that was asked has it in its request log. */
const traceNotes = z.object({
  code: text,
  // Absent from a server of the release before.
  errorMessage: text.default(null),
  instanceId: text,
});

export type TraceNotes = z.output<typeof traceNotes>;

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

/** An HTTP request, other than a send, that the owner of its number answers in the place of the node that got it. */
export const forwardedRequest: Method<ForwardedRequest, ForwardedAnswer> = { name: 'request', payload: request, answer };

/** What a trace tells of the work. */
export function notesOf({ code, errorMessage, instanceId }: Trace): TraceNotes {
  return { code, errorMessage, instanceId };
}
