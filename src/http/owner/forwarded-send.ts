import { z } from 'zod';
import type { Method } from '../../coordination/index.ts';
import type { StageMarks } from '../../core/index.ts';
import { messageTypes } from '../../kinds/index.ts';

const text = z.string().nullable();

/** A send whose key, account and body were judged by the node that was asked. */
const send = z.object({
  type: z.enum(messageTypes),
  /** Parsed again by the kind's schema, since the owner may be of another release. */
  body: z.unknown(),
  accountId: z.string(),
  trialMessageLimit: z.int().nullable(),
  /** The claim, the reservation and the settlement are made in this name: another one each time a server is asked for the same request. */
  tryId: z.string(),
  idempotencyKey: text,
  ownBases: z.array(z.string()),
});

/** When the owner came to which stage, in microseconds since it was asked; negative: never. */
const marks = z.object({ claimAt: z.int(), mediaAt: z.int(), networkAt: z.int(), settleAt: z.int() });

/** `moved`: the node does not own the number any more, and did nothing. */
const answer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('sent'), messageId: text, providerStatus: text, replayed: z.boolean(), marks }),
  z.object({
    outcome: z.literal('refused'),
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    marks,
  }),
  z.object({ outcome: z.literal('moved') }),
]);

export type ForwardedSend = z.output<typeof send>;
export type ForwardedSendAnswer = z.output<typeof answer>;

/** A send that the owner of its number makes for the node that was asked. */
export const forwardedSend: Method<ForwardedSend, ForwardedSendAnswer> = { name: 'send', payload: send, answer };

/** What the owner tells of its stages. */
export function marksOf({ claimAt, mediaAt, networkAt, settleAt }: StageMarks): z.output<typeof marks> {
  return { claimAt, mediaAt, networkAt, settleAt };
}

/** Notes the stages of the owner, which was asked `askedAt` microseconds after the request came. */
export function takeMarks(own: StageMarks, theirs: z.output<typeof marks>, askedAt: number): void {
  const since = (mark: number) => (mark < 0 ? mark : mark + askedAt);
  own.claimAt = since(theirs.claimAt);
  own.mediaAt = since(theirs.mediaAt);
  own.networkAt = since(theirs.networkAt);
  own.settleAt = since(theirs.settleAt);
}
