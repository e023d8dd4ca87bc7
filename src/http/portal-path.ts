import type { FastifyRequest } from 'fastify';
import type { AccountTerms } from '../store/index.ts';

/** The way in for people who are signed in at the portal (contract, "Authentication" §10). The portal fulfils it. */
export interface PortalPath {
  /** Whether a request without a key comes this way: with a session's cookie, or as a page of the portal. */
  isTaken(request: FastifyRequest): boolean;
  /** Who asks, and for which account. Throws missing_session, invalid_session and forbidden. */
  admit(request: FastifyRequest): Promise<SignedInCaller>;
}

/** A signed-in person with the account they act for. */
export interface SignedInCaller {
  readonly person: { readonly id: string; readonly email: string };
  readonly terms: AccountTerms;
}
