import type { z } from 'zod';
import type { ProviderSummary, providerView, selectOperatorSteps } from '../../accounts/index.ts';
import type { auditView } from '../../audit/index.ts';
import type { invitationDetail, userView } from '../../people/index.ts';
import type { historyView, numberReasons, numberView, Status, Standing as StoredStanding } from '../../sessions/index.ts';
import type { numberDetail } from '../number-views.ts';
import type { newAccount } from '../routes/operator/account-terms.ts';
import type { checkView, healthView } from '../routes/operator/health.ts';
import type { AccountView, MemberView, NewInvitationView } from './account.ts';
import type { Language } from './session.ts';

// An operator sees everything, a provider admin only what belongs to the provider. What is not theirs answers 404 not_found.

/**
 * GET /portal/api/operator/providers → ListView<ProviderView> (listing.ts): an admin sees the own ones; GET /{id}.
 * POST {name, number_capacity?, default_plan?}: operator only. PATCH /{id} {name?, status?, number_capacity?, default_plan?}: an admin may change default_plan alone. `default_plan`: name, id or null.
 * `default_plan_id`: the plan that is proposed for its new accounts; null: the installation's default.
 */
export type ProviderView = ReturnType<typeof providerView> & Pick<ProviderSummary, 'accounts' | 'numbers'>;

/** GET /portal/api/operator/providers/{id}. */
export interface ProviderDetail extends ProviderView {
  /** Oldest first. */
  readonly admins: readonly MemberView[];
}

/**
 * GET /portal/api/operator/accounts → ListView<ListedAccount> (listing.ts); GET /{id}; POST and PATCH /{id} with this, every field optional but the name of a new one.
 * `plan`: name, id or null for none. Times ISO 8601 UTC or null. A provider admin may not set provider_id, operator or free_slots.
 * `reference`: what the provider calls the account in its own books; null: nothing. Another account of the provider with it: 409 conflict.
 * A new account may come with `owner_email`, who is invited together with it; the answer then has `invitation`.
 * Plans: GET /operator/plans → { plans: PlanChoice[] } (both roles); POST, PATCH /{id} {name, messages_per_minute, instance_limit, trial_message_limit?} operator only.
 */
export type AccountChange = Partial<z.input<typeof newAccount>>;

/** GET /portal/api/operator/accounts/{id}. */
export interface AccountDetail extends AccountView {
  readonly reference: string | null;
  readonly members: readonly MemberView[];
}

/** POST /portal/api/operator/accounts: the new account, and the invitation of its owner if one was named. */
export interface NewAccountView extends AccountDetail {
  readonly invitation: NewInvitationView | null;
}

/**
 * GET /portal/api/operator/users → ListView<UserView> (listing.ts). GET /operator/invitations → ListView<InvitationView>; POST
 * {email, role, account_id?, provider_id?} → NewInvitationView; DELETE /operator/invitations/{id} → {invitation_id} withdraws it;
 * POST /operator/invitations/{id}/resend → NewInvitationView: a new link to the same, and the old one ends.
 * POST /operator/users/{id}/password-reset (empty body) → PasswordResetView. DELETE /operator/users/{id}/memberships with the JSON body
 * {role, account_id?, provider_id?} → {user_id}; 409 conflict for the last owner of an account and the last operator.
 * A provider admin sees only the roles that people have at the provider. `email_verified`: they have used a link that went to this address by mail
 * and that nobody else saw.
 */
export type UserView = ReturnType<typeof userView>;

/** GET /portal/api/operator/users/{id}. */
export interface UserDetail extends UserView {
  /** What the person chose; null: the browser's counts. */
  readonly language: Language | null;
  /** In how many browsers they are signed in. */
  readonly browsers: number;
}

/**
 * GET /portal/api/operator/invitations/{id}, and GET /portal/api/members/invitations/{id} for the owners of the account: of the last days also those that are no longer open.
 * `state`: see InvitationFate. `ended_at`: when it was used or ended before its time; `made_by`: the e-mail address of who made it; null: the command
 * line did, or the person was removed.
 */
export type InvitationDetail = Awaited<ReturnType<typeof invitationDetail>>;

/** The link to choose a new password; it works once, for two hours. With a mail server only operators see the link; null for others. */
export interface PasswordResetView {
  readonly link: string | null;
  readonly expires_at: string;
  readonly mailed: boolean;
}

/**
 * GET /portal/api/operator/numbers → ListView<NumberView> (listing.ts), and GET /portal/api/numbers for the acting account.
 * PATCH /{id} {proxy} → NumberView: operator only; socks5://[user:password@]host:port, http://…, or null to take it away.
 */
export interface NumberView extends Omit<ReturnType<typeof numberView>, 'standing'> {
  readonly account_name: string;
  readonly status: Status;
  readonly standing: Standing;
  /** Why it cannot send, or not as usual; null: it can, was never linked, or nothing stored shows it. */
  readonly reason: NumberReason | null;
  /** Since when it is so; null: nothing stored shows it. */
  readonly since: string | null;
  /** When something was last sent from it, within 30 days. */
  readonly last_sent_at: string | null;
  /** What the number connects through, without user and password; null: nothing, and always for a provider admin. */
  readonly proxy: string | null;
}

/** How a number is for the person who looks after it: `needs_person` was linked and does not come back by itself. `linked` stands for an unknown connection. */
export type Standing = Exclude<StoredStanding, 'linked'>;

/** A restriction of the network's, or what happened to a number that is not connected. */
export type NumberReason = (typeof numberReasons)[number];

/**
 * GET /portal/api/numbers/{instance_id}; for administrators see AnyNumberDetail. `what_to_do` null: there is nothing to do. `client_version` null: its
 * network has no versions. `server`: the name of the one that owns it; null when there is only one, or none owns it. `chat_budget`: how many chats it
 * may begin on a UTC day, as its owner set it (PATCH {chat_budget} → {instance_id, chat_budget}, of an account's owners); null: no budget. A newly linked
 * one begins with `start`, and may `growth_percent` more each day. `sends`: how they ended on each of the last 30 UTC days (YYYY-MM-DD), oldest first;
 * `refused`: the request was at fault. `last_failures`: newest first, at most 5 of the last 30 days. `history`: newest first, of the last 90 days, at
 * most 200.
 */
export type NumberDetail = Awaited<ReturnType<typeof numberDetail>>;

/** GET /portal/api/operator/numbers/{instance_id}: the number, and who has it. */
export interface AnyNumberDetail extends NumberDetail {
  readonly owners: readonly { readonly user_id: string; readonly email: string }[];
  /** Its account or the provider is: nothing can be done for it. */
  readonly suspended: boolean;
}

/**
 * Something that happened to a number, once or, within an hour, `count` times, until `last_at`. `text`: a sentence without times and without full
 * stop. `ended_at`: when a lost connection was back; null while it is not, and for other events. `by`: the e-mail address or the key of who did it;
 * null when the gateway, the network or a phone did.
 */
export type HistoryView = ReturnType<typeof historyView>;

/**
 * GET /portal/api/operator/first-steps: which of a new installation's first steps have happened; operator only. `message`: a send was accepted,
 * whoever's; `customer`: there is an account besides the demo's; `person`: another one, or an invitation that waits for one; `alert`: alerts of the
 * gateway or of a provider go somewhere. `demo_account_id` null: the gateway was started without a demo.
 */
export interface OperatorSteps extends Omit<Awaited<ReturnType<typeof selectOperatorSteps>>, 'demo'> {
  readonly demo_account_id: string | null;
}

/**
 * GET /portal/api/operator/health: operator only. `event_loop`: its delay over the last moments. Of `numbers`, `needs_person` and `never_linked` are
 * among the others. `checks`: what `gateway doctor` looks at, anew every minute at most.
 */
export type HealthView = Awaited<ReturnType<typeof healthView>>;

/** `ok` is false only for `fail`; `mend` says what to do. Sentences are in the reader's language. */
export type HealthCheck = ReturnType<typeof checkView>;

/**
 * GET /portal/api/operator/audit → ListView<AuditEntry> (listing.ts); GET /portal/api/audit the same for the acting account (owners). `actor_id`: the
 * person's or the key's, for operators; null for others, and where nobody has one. `target_name`: what the target is called now; null when it is gone
 * or has no name.
 */
export interface AuditEntry extends Omit<ReturnType<typeof auditView>, 'audit_id' | 'provider_id' | 'target_kind'> {
  readonly audit_id: string;
  readonly target_kind: string;
}
