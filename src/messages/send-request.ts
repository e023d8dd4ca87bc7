import type { Kind, SendBody } from '../kinds/index.ts';
import type { AccountTerms } from '../store/index.ts';
import type { StageMarks } from './stages.ts';

/** One send after its body was validated. */
export interface SendRequest {
  readonly kind: Kind;
  readonly body: SendBody;
  readonly admission: AccountTerms;
  readonly requestId: string;
  /** The Idempotency-Key; null without one or when the feature is off. */
  readonly idempotencyKey: string | null;
  /** Where the stages of the send are marked. */
  readonly marks: StageMarks;
}

/** A send's result, and the same as the JSON text that is stored and answered. */
export interface ResultAndText {
  readonly result: SendResult;
  readonly text: string;
}

/** The `data` of a send response (contract, "Send result"). */
export interface SendResult {
  readonly instance_id: string;
  readonly to: string;
  readonly type: string;
  readonly status: 'sent';
  readonly message_id: string;
  readonly provider_status: string | null;
  readonly best_effort?: true;
  readonly note?: string;
}
