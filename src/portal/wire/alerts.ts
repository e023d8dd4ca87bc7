import type { Condition, EventName } from '../../alerts/index.ts';
import type { deliveryView, payloadView, problemView, targetView } from '../alert-views.ts';

export type { Condition as AlertCondition, EventName as MessageEventName } from '../../alerts/index.ts';

/**
 * Who is alerted when something is wrong. GET /portal/api/alerts → {targets: AlertTargetView[]}, oldest first: those of the acting account, for
 * its owners and those who administer it. GET /portal/api/operator/alerts: those of the providers that the person administers, and for operators
 * also those of the installation. Everything below is under both. PATCH …/{target_id} with the fields of AlertTargetChange → AlertTargetView,
 * DELETE …/{target_id} → {target_id}. With neither account nor provider it is about everything. `previous_secret_until`: so long the secret
 * before the present one signs too; `confirm_by`: so long a mail address may confirm that it wants alerts (null: it gets them);
 * `last_delivery` null: nothing was sent in the last 30 days.
 */
export type AlertTargetView = ReturnType<typeof targetView>;

/** What may be changed of a target. An absent field stays as it is. */
export interface AlertTargetChange {
  /** A URL or an e-mail address. */
  readonly address?: string;
  readonly conditions?: readonly Condition[];
  /** Of webhooks alone; none unless chosen. */
  readonly events?: readonly EventName[];
  /** `22:00`; both or neither, with the zone. No new alerts are sent between them. */
  readonly quiet_from?: string | null;
  readonly quiet_to?: string | null;
  /** Of the IANA time zone database. */
  readonly time_zone?: string | null;
}

/**
 * POST /portal/api/alerts {kind, address} with the other fields of AlertTargetChange; under /operator also `provider_id`, whose absence means
 * everything and is for operators. `secret`: shown this once; null for mail. POST …/{target_id}/secret → {target_id, secret}, and the one
 * before it signs as well for 24 hours.
 */
export interface NewAlertTargetView extends AlertTargetView {
  readonly secret: string | null;
}

/**
 * GET …/{target_id}/deliveries?before= → {deliveries: AlertDeliveryView[], before}, newest first, `before` leading to the next page (null: there is
 * none). POST …/{target_id}/test → {delivery_id}; POST …/{target_id}/deliveries/{delivery_id}/resend → {delivery_id}. `outcome`: what the last
 * attempt came to, in words; `told`: the first sentences of its alerts; of `events` only the webhook gets which they are.
 */
export type AlertDeliveryView = ReturnType<typeof deliveryView>;

/**
 * GET …/{target_id}/deliveries/{delivery_id}: what was sent: the body of a webhook, or subject and text of a mail in the reader's language. null:
 * events of messages, which the webhook alone gets.
 */
export type AlertPayloadView = ReturnType<typeof payloadView>;

/**
 * GET …/problems?state=open|ended&before= → {problems: AlertProblemView[] | null, before}: what is wrong now, or what was in the last 90 days, of the
 * account, or of what the person administers; newest first. null: nothing is looked for, because nobody is to be alerted. `text`: a sentence
 * without its end.
 */
export type AlertProblemView = ReturnType<typeof problemView>;
