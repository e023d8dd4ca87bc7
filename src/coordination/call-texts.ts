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

/** Asks whether calls are still being answered. */
const checkText = z.object({ kind: z.literal('check'), ids: z.array(z.string()), replyTo: z.string() });

const nodeText = z.discriminatedUnion('kind', [callText, markText, checkText]);

/** What comes back: for one call, or for those of a check. */
const replyText = z.discriminatedUnion('outcome', [
  z.object({ id: z.string(), outcome: z.literal('answer'), answer: z.unknown() }),
  z.object({
    id: z.string(),
    outcome: z.literal('gateway_error'),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ id: z.string(), outcome: z.enum(['busy', 'not_understood', 'failed', 'nobody_there']) }),
  z.object({ outcome: z.literal('checked'), underWay: z.array(z.string()), gone: z.array(z.string()) }),
]);

export type CallText = z.infer<typeof callText>;
export type CheckText = z.infer<typeof checkText>;
export type NodeText = z.infer<typeof nodeText>;
export type AnyReplyText = z.infer<typeof replyText>;
export type CheckedText = Extract<AnyReplyText, { outcome: 'checked' }>;
export type ReplyText = Exclude<AnyReplyText, CheckedText>;

/** null for anything that is not as agreed. */
export function readNodeText(text: string): NodeText | null {
  return read(nodeText, text);
}

/** null for anything that is not as agreed. */
export function readReplyText(text: string): AnyReplyText | null {
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
