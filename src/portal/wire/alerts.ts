/** What a target can be alerted of; the server refuses what it does not know. */
export type AlertCondition =
  | 'number_needs_person'
  | 'number_restricted'
  | 'trial_nearly_used'
  | 'access_ending'
  // The others are for those who run the gateway.
  | 'client_version_ending'
  | 'disk_nearly_full'
  | 'error_rate_high'
  | 'writes_failing'
  | 'mail_unreachable'
  | 'server_lost';

/** The events of messages that a webhook can get. */
export type MessageEventName = 'message.delivered' | 'message.read' | 'message.lost';

/**
 * Who is alerted when something is wrong. GET /portal/api/alerts → {targets: AlertTargetView[]}, oldest first: those of the acting account, for
 * its owners and those who administer it. GET /portal/api/operator/alerts: those of the providers that the person administers, and for operators
 * also those of the installation. Everything below is under both. PATCH …/{target_id} with the fields of AlertTargetChange → AlertTargetView,
 * DELETE …/{target_id} → {target_id}.
 */
export interface AlertTargetView extends Required<AlertTargetChange> {
  readonly target_id: string;
  readonly kind: 'webhook' | 'mail';
  /** Whose accounts its alerts are about; with both null: everything. */
  readonly account_id: string | null;
  readonly provider_id: string | null;
  /** Until when the secret before the present one signs too; null: there is none. */
  readonly previous_secret_until: string | null;
  readonly created_at: string;
  /** Until when a mail address must confirm that it wants alerts; null: it gets them. */
  readonly confirm_by: string | null;
  /** null: nothing was sent in the last 30 days. */
  readonly last_delivery: Pick<AlertDeliveryView, 'state' | 'at' | 'outcome'> | null;
}

/** What may be changed of a target. An absent field stays as it is. */
export interface AlertTargetChange {
  /** A URL or an e-mail address. */
  readonly address?: string;
  readonly conditions?: readonly AlertCondition[];
  /** Of webhooks alone; none unless chosen. */
  readonly events?: readonly MessageEventName[];
  /** `22:00`; both or neither, with the zone. Nothing is sent between them. */
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
 * none). POST …/{target_id}/test → {delivery_id}; POST …/{target_id}/deliveries/{delivery_id}/resend → {delivery_id}.
 */
export interface AlertDeliveryView {
  readonly delivery_id: string;
  readonly type: string;
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly at: string;
  readonly attempts: number;
  /** What the last attempt came to, in words; null: there was none. */
  readonly outcome: string | null;
  readonly next_at: string | null;
  readonly ended_at: string | null;
  /** Of its body. */
  readonly bytes: number;
  /** Its alerts, for people: the first sentences. */
  readonly told: readonly string[];
  /** How many alerts it had. */
  readonly alerts: number;
  /** How many events of messages it had; which, only the webhook gets. */
  readonly events: number;
}

/**
 * GET …/{target_id}/deliveries/{delivery_id}: what was sent: the body of a webhook, or subject and text of a mail in the reader's language. null:
 * events of messages, which the webhook alone gets.
 */
export interface AlertPayloadView {
  readonly delivery_id: string;
  readonly payload: string | null;
}

/**
 * GET …/problems?state=open|ended&before= → {problems: AlertProblemView[] | null, before}: what is wrong now, or what was in the last 90 days, of the
 * account, or of what the person administers; newest first. null: nothing is looked for, because nobody is to be alerted.
 */
export interface AlertProblemView {
  readonly alert_id: string;
  readonly condition: string;
  /** The problem as a sentence without its end. */
  readonly text: string;
  readonly account_id: string | null;
  readonly instance_id: string | null;
  readonly began_at: string;
  /** null: it lasts. */
  readonly ended_at: string | null;
}
