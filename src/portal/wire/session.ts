import type { Language } from '../../language/index.ts';
import type { Role } from '../../people/index.ts';
import type { browserView, sessionView } from '../routes/session.ts';
import type { BrandView } from './brand.ts';

export type { Language, Role };

/**
 * GET /portal/api/session: who is signed in, and for which account the pages speak. `language`: what the person chose, by PUT /portal/api/language
 * {language} → {language}; null: nothing yet, so the browser's counts. `accounts`: the person's own; an operator or provider admin acts for others by
 * X-Account-Id. `account`: that of X-Account-Id, else the person's first; null for an operator or provider admin who acts for none. `networks`: the
 * enabled ones, the default first. `idempotency`: whether a send with an Idempotency-Key can be tried again without sending twice. `base_url`: where
 * callers reach the API. `brand`: of the account's provider, or of the only one the person runs; null: the gateway's own looks.
 */
export type PortalSession = Awaited<ReturnType<typeof sessionView>>;

/** One role of a person. `provider_id` is set for a provider admin, `account_id` for an owner or member. */
export type MembershipView = PortalSession['memberships'][number];

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
export type SignedInBrowser = ReturnType<typeof browserView>;
