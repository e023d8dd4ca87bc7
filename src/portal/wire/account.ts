import type { Role } from './session.ts';

/** A key without its secret. */
export interface KeyView {
  readonly key_id: string;
  readonly prefix: string;
  readonly label: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** GET /portal/api/keys → ListView<KeyView> (listing.ts). POST {label?}: the only time the whole key is shown. DELETE /portal/api/keys/{key_id} → KeyView, revoked from the next request on. */
export interface NewKeyView extends KeyView {
  readonly key: string;
}

/** GET /portal/api/keys/{key_id}: who made and who revoked it, as far as the audit log still has it. */
export interface KeyDetail extends KeyView {
  readonly created_by: ActorView | null;
  readonly revoked_by: ActorView | null;
}

/**
 * GET /portal/api/account/former → {former: FormerView[]}, newest first: what the account has from its former provider's people. POST {kind, id, keep}
 * → the same: it stays, or the key is revoked, the alert target removed, the note emptied. For the account's owners and those who administer it.
 */
export interface FormerView {
  readonly kind: 'key' | 'alert' | 'note';
  /** The account's for its note. */
  readonly id: string;
  /** The prefix of a key, the address of an alert target; empty for a note, which only those who administer the account read. */
  readonly name: string;
  /** An e-mail address. */
  readonly made_by: string | null;
  readonly made_at: string;
}

/** Who did something: a person by the e-mail address, a key by its prefix. */
export interface ActorView {
  readonly kind: 'user' | 'key' | 'command_line' | 'system';
  readonly name: string | null;
}

/** GET /portal/api/account: the acting account with its plan and limits. Times are ISO 8601 UTC, null: no end or none. */
export interface AccountView {
  readonly account_id: string;
  readonly name: string;
  readonly provider_id: string;
  readonly provider_name: string;
  readonly status: 'active' | 'suspended';
  /** Who suspended the account; null while it is active. What an operator suspended only an operator resumes. */
  readonly suspended_by: 'operator' | 'provider' | null;
  /** Whether the provider is suspended. */
  readonly provider_status: 'active' | 'suspended';
  readonly plan: PlanView | null;
  readonly plan_starts_at: string | null;
  readonly plan_ends_at: string | null;
  readonly access_ends_at: string | null;
  /** The account's own number limit; null: the plan's. */
  readonly instance_limit: number | null;
  readonly operator: boolean;
  readonly free_slots: number | null;
  readonly trial_used: number;
  readonly numbers: number;
  readonly live_keys: number;
  readonly created_at: string;
}

/** An account in the list of those who administer it. */
export interface ListedAccount extends AccountView {
  /** How many of its numbers only a person can bring back. */
  readonly needs_person: number;
  /** Of the last 24 hours, counted by the hour. `failed`: the gateway or the network did (5xx). */
  readonly sends: { readonly accepted: number; readonly failed: number };
}

export interface PlanView {
  readonly plan_id: string;
  readonly name: string;
  readonly messages_per_minute: number;
  readonly instance_limit: number;
  /** Messages in total; null: not a trial. */
  readonly trial_message_limit: number | null;
  readonly created_at: string;
}

/** GET /portal/api/first-steps: which of a new account's three steps have happened. */
export interface FirstSteps {
  readonly key: boolean;
  readonly number: boolean;
  readonly message: boolean;
}

/**
 * GET /portal/api/members → { members, invitations }; GET /portal/api/members/{user_id} → MemberDetail. PATCH /portal/api/members/{user_id} {role: 'owner' | 'member'} → MemberView;
 * DELETE /portal/api/members/{user_id} → {user_id}. For owners and administrators who act for the account; 409 conflict for the last owner.
 */
export interface MemberView {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly two_factor: boolean;
  readonly joined_at: string;
}

/** GET /portal/api/members/{user_id}: a member, and nothing of where else they have a role. */
export interface MemberDetail extends MemberView {
  /** In any of their browsers; null: signed in nowhere. */
  readonly last_seen_at: string | null;
}

/**
 * An invitation nobody has used yet. GET /portal/api/members/invitations/{invitation_id} → InvitationDetail (operator.ts); DELETE →
 * {invitation_id}: withdraws it.
 */
export interface InvitationView {
  readonly invitation_id: string;
  readonly email: string;
  readonly role: Role;
  /** Name of the account or provider it leads to; null for an operator's. */
  readonly leads_to: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** POST /portal/api/members {email, role: 'owner' | 'member'} and other invitations: the link is shown once, with a mail server to operators alone (null for others); `mailed` when SMTP is set and the mail was taken. */
export interface NewInvitationView extends InvitationView {
  readonly link: string | null;
  readonly mailed: boolean;
}

/** GET /portal/api/usage?from=YYYY-MM-DD&to=YYYY-MM-DD (UTC days, both included, at most 366; default the last 30). usage.csv gives the same as CSV; a plain link to it names the account as ?account_id=. */
export interface UsageView {
  readonly from: string;
  readonly to: string;
  readonly days: readonly UsageDay[];
  readonly totals: { readonly sends: number; readonly by_type: Readonly<Record<string, number>>; readonly number_days: number };
  readonly limits: {
    readonly messages_per_minute: number | null;
    readonly instance_limit: number | null;
    readonly limit_source: 'plan' | 'account' | 'free_slots';
    readonly numbers: number;
    readonly trial_message_limit: number | null;
    readonly trial_used: number;
  };
}

/** Every day of the period, also those without sends. */
export interface UsageDay {
  readonly day: string;
  readonly sends: number;
  readonly by_type: Readonly<Record<string, number>>;
  readonly number_days: number;
}

/** GET /portal/api/docs-examples: the reader's own values for the examples of the API reference, never a secret; nulls for somebody who is not signed in. */
export interface DocsExamples {
  /** A number of the account, a connected one where there is one. */
  readonly instance_id: string | null;
  /** The first characters of the newest live key. */
  readonly key_prefix: string | null;
}
