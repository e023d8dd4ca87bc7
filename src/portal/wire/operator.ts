import type { AccountView, InvitationView, MemberView, NewInvitationView } from './account.ts';
import type { RequestView } from './sending.ts';
import type { Language, Role } from './session.ts';

// An operator sees everything, a provider admin only what belongs to the provider. What is not theirs answers 404 not_found.

/**
 * GET /portal/api/operator/providers → ListView<ProviderView> (listing.ts): an admin sees the own ones; GET /{id}.
 * POST {name, number_capacity?, default_plan?}: operator only. PATCH /{id} {name?, status?, number_capacity?, default_plan?}: an admin may change default_plan alone. `default_plan`: name, id or null.
 */
export interface ProviderView {
  readonly provider_id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly number_capacity: number | null;
  /** The plan that is proposed for its new accounts; null: the installation's default. */
  readonly default_plan_id: string | null;
  readonly accounts: number;
  readonly numbers: number;
  readonly created_at: string;
}

/** GET /portal/api/operator/providers/{id}. */
export interface ProviderDetail extends ProviderView {
  /** Oldest first. */
  readonly admins: readonly MemberView[];
}

/**
 * GET /portal/api/operator/accounts → ListView<ListedAccount> (listing.ts); GET /{id}; POST and PATCH /{id} with this, every field optional but the name of a new one.
 * `plan`: name, id or null for none. Times ISO 8601 UTC or null. A provider admin may not set provider_id, operator or free_slots.
 * A new account may come with `owner_email`, who is invited together with it; the answer then has `invitation`.
 * Plans: GET /operator/plans → { plans: PlanChoice[] } (both roles); POST, PATCH /{id} {name, messages_per_minute, instance_limit, trial_message_limit?} operator only.
 */
export interface AccountChange {
  readonly name?: string;
  readonly provider_id?: string;
  readonly status?: 'active' | 'suspended';
  readonly plan?: string | null;
  readonly plan_ends_at?: string | null;
  readonly access_ends_at?: string | null;
  readonly instance_limit?: number | null;
  readonly operator?: boolean;
  readonly free_slots?: number | null;
  /** What the provider calls the account in its own books; null: nothing. Another account of the provider with it: 409 conflict. */
  readonly reference?: string | null;
  readonly owner_email?: string;
}

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
 * A provider admin sees only the roles that people have at the provider.
 */
export interface UserView {
  readonly user_id: string;
  readonly email: string;
  /** Whether they have used a link that went to this address by mail and that nobody else saw. */
  readonly email_verified: boolean;
  readonly name: string;
  readonly two_factor: boolean;
  readonly created_at: string;
  readonly last_seen_at: string | null;
  readonly memberships: readonly {
    readonly role: Role;
    readonly account_id: string | null;
    readonly account_name: string | null;
    readonly provider_id: string | null;
    readonly provider_name: string | null;
  }[];
}

/** GET /portal/api/operator/users/{id}. */
export interface UserDetail extends UserView {
  /** What the person chose; null: the browser's counts. */
  readonly language: Language | null;
  /** In how many browsers they are signed in. */
  readonly browsers: number;
}

/** GET /portal/api/operator/invitations/{id}, and GET /portal/api/members/invitations/{id} for the owners of the account: of the last days also those that are no longer open. */
export interface InvitationDetail extends InvitationView {
  readonly account_id: string | null;
  readonly provider_id: string | null;
  /** `accepted`, `withdrawn`; `replaced` by another one to the same; `ended` with the right of whoever made it. */
  readonly state: 'open' | 'accepted' | 'withdrawn' | 'replaced' | 'expired' | 'ended';
  /** When it was used or ended before its time; null: it was not. */
  readonly ended_at: string | null;
  /** The e-mail address of who made it; null: the command line did, or the person was removed. */
  readonly made_by: string | null;
}

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
export interface NumberView {
  readonly instance_id: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly label: string | null;
  readonly phone_number: string | null;
  readonly network: string;
  readonly status: 'open' | 'connecting' | 'close';
  readonly standing: Standing;
  /** Why it cannot send, or not as usual; null: it can, was never linked, or nothing stored shows it. */
  readonly reason: NumberReason | null;
  /** Since when it is so; null: nothing stored shows it. */
  readonly since: string | null;
  /** When something was last sent from it, within 30 days. */
  readonly last_sent_at: string | null;
  readonly restriction: { readonly reason: string; readonly until: string | null } | null;
  readonly new_chats: { readonly used: number; readonly quota: number; readonly cycle_ends_at: string | null } | null;
  /** What the number connects through, without user and password; null: nothing, and always for a provider admin. */
  readonly proxy: string | null;
  readonly created_at: string;
}

/** How a number is for the person who looks after it: `needs_person` was linked and does not come back by itself. */
export type Standing = 'connected' | 'reconnecting' | 'pairing' | 'never_linked' | 'needs_person';

/** A restriction of the network's, or what happened to a number that is not connected. */
export type NumberReason =
  | 'temporarily_banned'
  | 'reach_out_blocked'
  | 'new_chats_capped'
  | 'version_refused'
  | 'replaced'
  | 'unlinked'
  | 'banned'
  | 'refused'
  | 'disconnected'
  | 'lost';

/** GET /portal/api/numbers/{instance_id}; for administrators see AnyNumberDetail. */
export interface NumberDetail extends Omit<NumberView, 'proxy' | 'reason' | 'last_sent_at'> {
  readonly why: string;
  /** null when there is nothing to do. */
  readonly what_to_do: string | null;
  /** null for networks without versions. */
  readonly client_version: string | null;
  /** The name of the server that owns it; null when there is only one, or none owns it. */
  readonly server: string | null;
  /** What its owner set; null: none. PATCH /portal/api/numbers/{instance_id} {chat_budget} → {instance_id, chat_budget} of an account's owners. */
  readonly chat_budget: ChatBudgetView | null;
  readonly last_send: RequestView | null;
  /** How its sends ended on each of the last 30 UTC days (YYYY-MM-DD), oldest first. `refused`: the request was at fault. */
  readonly sends: readonly { readonly day: string; readonly accepted: number; readonly refused: number; readonly failed: number }[];
  /** Newest first, at most 5 of the last 30 days. */
  readonly last_failures: readonly RequestView[];
  /** Newest first, of the last 90 days, at most 200. */
  readonly history: readonly HistoryView[];
}

/** GET /portal/api/operator/numbers/{instance_id}: the number, and who has it. */
export interface AnyNumberDetail extends NumberDetail {
  readonly owners: readonly { readonly user_id: string; readonly email: string }[];
  /** Its account or the provider is: nothing can be done for it. */
  readonly suspended: boolean;
}

/** How many chats a number may begin on a UTC day. A newly linked one begins with `start`, and may `growth_percent` more each day. */
export interface ChatBudgetView {
  readonly per_day: number;
  readonly warm_up: { readonly start: number; readonly growth_percent: number } | null;
}

/** Something that happened to a number, once or, within an hour, `count` times. */
export interface HistoryView {
  readonly event: string;
  /** A sentence without times and without full stop. */
  readonly text: string;
  readonly at: string;
  /** The last time. */
  readonly last_at: string;
  /** When a lost connection was back; null while it is not, and for other events. */
  readonly ended_at: string | null;
  readonly until: string | null;
  readonly count: number;
  /** The e-mail address or the key of who did it; null when the gateway, the network or a phone did. */
  readonly by: string | null;
}

/** GET /portal/api/operator/first-steps: which of a new installation's first steps have happened; operator only. */
export interface OperatorSteps {
  /** A send was accepted, whoever's. */
  readonly message: boolean;
  /** There is an account besides the demo's. */
  readonly customer: boolean;
  /** There is another person, or an invitation that waits for one. */
  readonly person: boolean;
  /** Alerts of the gateway or of a provider go somewhere. */
  readonly alert: boolean;
  /** null: the gateway was started without a demo. */
  readonly demo_account_id: string | null;
}

/** GET /portal/api/operator/health: operator only. */
export interface HealthView {
  readonly version: string;
  readonly started_at: string;
  readonly store: { readonly dialect: 'sqlite' | 'postgres'; readonly ok: boolean; readonly latency_ms: number };
  readonly memory: { readonly rss_bytes: number; readonly heap_used_bytes: number };
  /** Event-loop delay over the last moments. */
  readonly event_loop: { readonly p50_ms: number; readonly p99_ms: number };
  /** `needs_person` and `never_linked` are among them. */
  readonly numbers: {
    readonly open: number;
    readonly connecting: number;
    readonly close: number;
    readonly needs_person: number;
    readonly never_linked: number;
  };
  readonly networks: readonly string[];
  /** What `gateway doctor` looks at. `ok` is false only for `fail`; `mend` says what to do. Looked at anew every minute at most. */
  readonly checks: readonly HealthCheck[];
}

export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly mend: string | null;
}

/** GET /portal/api/operator/audit → ListView<AuditEntry> (listing.ts); GET /portal/api/audit the same for the acting account (owners). */
export interface AuditEntry {
  readonly audit_id: string;
  readonly at: string;
  readonly actor_kind: 'user' | 'key' | 'command_line' | 'system';
  /** The person's or the key's, for operators; null for others, and where nobody has one. */
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  /** Such as account.update. */
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string | null;
  /** What the target is called now; null when it is gone or has no name. */
  readonly target_name: string | null;
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}
