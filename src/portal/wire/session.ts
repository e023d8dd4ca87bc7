import type { Language } from '../../language/index.ts';
import type { NetworkName } from '../../networks/index.ts';
import type { Role } from '../../people/index.ts';
import type { BrandView } from './brand.ts';

export type { Language, Role };

/** One role of a person. `provider_id` is set for a provider admin, `account_id` for an owner or member. */
export interface MembershipView {
  readonly role: Role;
  readonly provider_id: string | null;
  readonly account_id: string | null;
}

/** An account the person may choose to act for. */
export interface ActingAccount {
  readonly account_id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
}

interface SessionUser {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly two_factor: boolean;
  /** What the person chose: PUT /portal/api/language { language } → { language }. null: nothing yet, so the browser's counts. */
  readonly language: Language | null;
}

/** GET /portal/api/session: who is signed in, and for which account the pages speak. */
export interface PortalSession {
  readonly user: SessionUser;
  readonly memberships: readonly MembershipView[];
  /** The person's own accounts; an operator or provider admin acts for others by X-Account-Id. */
  readonly accounts: readonly ActingAccount[];
  /** The account of X-Account-Id, else the person's first; null for an operator or provider admin who acts for none. */
  readonly account: ActingAccount | null;
  /** Enabled networks, the default first. */
  readonly networks: readonly NetworkName[];
  readonly version: string;
  /** Whether a send with an Idempotency-Key can be tried again without sending twice. */
  readonly idempotency: boolean;
  /** Where callers reach the API. */
  readonly base_url: string;
  /** Of the account's provider, or of the only one the person runs; null: the gateway's own looks. */
  readonly brand: BrandView | null;
}

/** GET /portal/api/links/{token}: what a one-time link is for, before it is used. */
export interface LinkView {
  /** `alerts`: an address is asked whether it wants alerts, and POST /portal/api/links/{token}/confirm → {address} confirms it. */
  readonly purpose: 'first_operator' | 'invitation' | 'password_reset' | 'alerts' | 'scan';
  /** null for the first operator, who names it. */
  readonly email: string | null;
  readonly role: Role | null;
  /** Name of the account or provider it leads to. */
  readonly leads_to: string | null;
  /** The person has an account already and only needs to sign in with the password. */
  readonly known_user: boolean;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
  /** The number that a scan link is for. */
  readonly scan?: {
    readonly instance_id: string;
    readonly label: string | null;
    readonly network: string;
    /** Of the account's provider. */
    readonly brand: BrandView | null;
  };
}

/**
 * POST /portal/api/numbers/{instance_id}/scan-link. With the token of the link, and nothing else, GET /portal/api/links/{token}/instances/{instance_id}/qr
 * and …/qr-status answer as those of /v1 do, but without the number's label and phone number. 410 `link_expired` has `details.reason` `used`,
 * `expired` or `number_deleted`, and none for a wrong token.
 */
export interface NewScanLink {
  readonly instance_id: string;
  /** Shown this once. */
  readonly link: string;
  readonly expires_at: string;
}

/** POST /portal/api/links/{token}: uses the link. `email` and `name` as the purpose asks for. Signs the person in, unless two-factor is on. */
export interface LinkUse {
  readonly email?: string;
  readonly name?: string;
  readonly password: string;
}

/** Answer of a sign-in: `two_factor` true means that a code must follow at two-factor/verify-totp or -backup-code. */
export interface SignInView {
  readonly two_factor: boolean;
}

/**
 * One of the person's own signed-in browsers. GET /portal/api/browsers → { browsers }; DELETE /portal/api/browsers/{session_id} → {session_id};
 * DELETE /portal/api/browsers/others → { ended }: signs out all but this one, and how many those were.
 */
export interface SignedInBrowser {
  readonly session_id: string;
  readonly user_agent: string | null;
  readonly ip_address: string | null;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly current: boolean;
}
