import { z } from 'zod';
import type { StageMarks } from '../core/index.ts';
import { type Kind, messageTypes, type SendBody } from '../kinds/index.ts';
import type { AccountTerms } from '../store/index.ts';

/** One send after its body was validated. */
export interface SendRequest {
  readonly kind: Kind;
  readonly body: SendBody;
  readonly admission: Pick<AccountTerms, 'accountId' | 'trialMessageLimit'>;
  readonly requestId: string;
  /** The Idempotency-Key; null without one or when the feature is off. */
  readonly idempotencyKey: string | null;
  /** The addresses at which this service is reached, for links to its own sample files. */
  readonly ownBases: readonly string[];
  /** True when another server may own the number: without a session here, only what was sent already can be answered. */
  readonly moving: boolean;
  /** Aborted when the caller goes away before the answer. Asked for only by a send that waits for another. */
  caller(): AbortSignal;
  /** Where the stages of the send are marked. */
  readonly marks: StageMarks;
}

/** What the network took a message under. It stays the same, also for a retry with the same key. */
export interface Sent {
  readonly messageId: string;
  readonly providerStatus: string | null;
}

/** The `data` of a send response (contract, "Send result"). */
const sendResult = z
  .object({
    instance_id: z.string().meta({ format: 'uuid', description: 'The number it was sent from.' }),
    to: z.string().meta({ pattern: '^[1-9][0-9]{5,14}$', description: 'The recipient as digits, after normalisation.' }),
    type: z.enum(messageTypes).meta({ description: 'The kind of the message.' }),
    status: z.literal('sent').meta({ description: 'Always `sent`.' }),
    message_id: z.string().nullable().meta({ description: "The message's own id: keep it to quote the message or react to it later." }),
    provider_status: z
      .string()
      .nullable()
      .meta({
        description: 'The state on the network at the moment of sending, for example `PENDING`; not a receipt.',
        examples: ['PENDING'],
      }),
  })
  .meta({ id: 'SendResult', description: 'An accepted message. Accepted for delivery: neither delivered nor read.' });

/** The same for buttons and lists. */
const interactiveSendResult = sendResult
  .and(
    z
      .object({
        best_effort: z.literal(true).meta({ description: 'Always true.' }),
        note: z.string().meta({ description: 'The caveat in words, for people.' }),
      })
      .meta({ description: 'The caveat.' }),
  )
  .meta({ id: 'InteractiveSendResult', description: 'An accepted message of a kind that phones may show differently.' });

export type SendResult = z.output<typeof sendResult> | z.output<typeof interactiveSendResult>;

export function sendResultOf({ bestEffortNote }: Kind): z.ZodType<SendResult> {
  return bestEffortNote === null ? sendResult : interactiveSendResult;
}
