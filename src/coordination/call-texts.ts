import { z } from 'zod';

/** What a caller sends to a node's channel. */
const callText = z.object({
  kind: z.literal('call'),
  /** Unique among all calls of all nodes. */
  id: z.string(),
  /** The channel on which the caller waits. */
  replyTo: z.string(),
  method: z.string(),
  /** A duration, because the clocks of two machines differ. */
  deadlineMs: z.number().nonnegative(),
  requestId: z.string().nullable(),
  payload: z.unknown(),
});

/** What a node sends to its own channel, to learn when it has heard everything that was sent before. */
const markText = z.object({ kind: z.literal('mark'), id: z.string() });

const nodeText = z.discriminatedUnion('kind', [callText, markText]);

/** What comes back. */
const replyText = z.discriminatedUnion('outcome', [
  z.object({ id: z.string(), outcome: z.literal('answer'), answer: z.unknown() }),
  z.object({
    id: z.string(),
    outcome: z.literal('gateway_error'),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ id: z.string(), outcome: z.enum(['busy', 'not_understood', 'failed']) }),
]);

export type CallText = z.infer<typeof callText>;
export type NodeText = z.infer<typeof nodeText>;
export type ReplyText = z.infer<typeof replyText>;

/** null for anything that is not as agreed. */
export function readNodeText(text: string): NodeText | null {
  return read(nodeText, text);
}

/** null for anything that is not as agreed. */
export function readReplyText(text: string): ReplyText | null {
  return read(replyText, text);
}

/** The value of a JSON text; null when it is none, or does not fit the schema. */
export function read<T>(schema: z.ZodType<T>, text: string): T | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return schema.safeParse(value).data ?? null;
}
