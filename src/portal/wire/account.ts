import type { keyView, planView, selectFormer } from '../../accounts/index.ts';
import type { invitationView, memberDetail, memberView, newInvitationView } from '../../people/index.ts';
import type { accountUsage } from '../routes/usage.ts';
import type { accountView } from '../views.ts';
import type { Role } from './session.ts';

/** A key without its secret. */
export type KeyView = ReturnType<typeof keyView>;

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
export interface FormerView extends Omit<Awaited<ReturnType<typeof selectFormer>>[number], 'made_at'> {
  readonly made_at: string;
}

/** Who did something: a person by the e-mail address, a key by its prefix. */
export interface ActorView {
  readonly kind: 'user' | 'key' | 'command_line' | 'system';
  readonly name: string | null;
}

/**
 * GET /portal/api/account: the acting account with its plan and limits. Times are ISO 8601 UTC, null: no end or none. What an operator suspended
 * (`suspended_by`) only an operator resumes. `instance_limit`: the account's own; null: the plan's.
 */
export type AccountView = ReturnType<typeof accountView>;

/** An account in the list of those who administer it. */
export interface ListedAccount extends AccountView {
  /** How many of its numbers only a person can bring back. */
  readonly needs_person: number;
  /** Of the last 24 hours, counted by the hour. `failed`: the gateway or the network did (5xx). */
  readonly sends: { readonly accepted: number; readonly failed: number };
}

/** `trial_message_limit`: in total; null: not a trial. */
export type PlanView = ReturnType<typeof planView>;

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
export type MemberView = ReturnType<typeof memberView>;

/** GET /portal/api/members/{user_id}: a member, and nothing of where else they have a role. `last_seen_at`: in any of their browsers; null: signed in nowhere. */
export type MemberDetail = ReturnType<typeof memberDetail>;

/**
 * An invitation nobody has used yet; `leads_to` is null for an operator's. GET /portal/api/members/invitations/{invitation_id} → InvitationDetail
 * (operator.ts); DELETE → {invitation_id}: withdraws it.
 */
export type InvitationView = ReturnType<typeof invitationView>;

/** POST /portal/api/members {email, role: 'owner' | 'member'} and other invitations: the link is shown once, with a mail server to operators alone (null for others); `mailed` when SMTP is set and the mail was taken. */
export type NewInvitationView = ReturnType<typeof newInvitationView<Role>>;

/**
 * GET /portal/api/usage?from=YYYY-MM-DD&to=YYYY-MM-DD (UTC days, both included, at most 366; default the last 30). `days`: every one of them, also those
 * without sends. usage.csv gives the same as CSV; a plain link to it names the account as ?account_id=.
 */
export type UsageView = Awaited<ReturnType<typeof accountUsage>>;

/** GET /portal/api/docs-examples: the reader's own values for the examples of the API reference, never a secret; nulls for somebody who is not signed in. */
export interface DocsExamples {
  /** A number of the account, a connected one where there is one. */
  readonly instance_id: string | null;
  /** The first characters of the newest live key. */
  readonly key_prefix: string | null;
}
