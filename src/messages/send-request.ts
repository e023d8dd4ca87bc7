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
  /** Aborted when the caller goes away before the answer. Asked for only by a send that waits for another. */
  caller(): AbortSignal;
  /** Where the stages of the send are marked. */
  readonly marks: StageMarks;
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

/** The result of a request that was sent to `to` under this id. Asking again with the same key gives the same, whenever it is made. */
export function resultOf({ kind, body }: SendRequest, to: string, messageId: string, providerStatus: string | null): SendResult {
  const result: SendResult = {
    instance_id: body.instance_id.toLowerCase(),
    to,
    type: kind.type,
    status: 'sent',
    message_id: messageId,
    provider_status: providerStatus,
  };
  return kind.bestEffortNote === null ? result : { ...result, best_effort: true, note: kind.bestEffortNote };
}
