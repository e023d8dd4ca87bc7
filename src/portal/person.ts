import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { type ActingFor, actingAccount, refuseSuspended } from '../accounts/index.ts';
import type { Act, Actor } from '../audit/index.ts';
import { GatewayError } from '../core/index.ts';
import { networkOf, type PortalPath } from '../http/index.ts';
import { administered, membershipsOf, type Place, type Role } from '../people/index.ts';
import { bound } from './bounds.ts';
import { isId } from './fields.ts';
import { changesSomething, refuseOtherSites } from './origin.ts';
import type { PortalOptions } from './portal-options.ts';
import { browserOf } from './sign-in/passing.ts';
import { holdsSession, type Person } from './sign-in/sign-in.ts';

/** Requests per minute at the portal's own endpoints: far above what pages ask, far below what hurts. */
const perPerson = 600;
const perClient = 120;

/** A signed-in person with what they may do, and the account this request is about. */
export interface Visitor extends Person {
  readonly places: readonly Place[];
  /** null when none was asked for and they have none of their own. */
  readonly acting: ActingFor | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hooks below, so only routes that carry one may read it. */
    visitor: Visitor;
  }
}

/** Who asks, by the session cookie; throws missing_session, invalid_session and forbidden. */
export async function visitorOf(options: Pick<PortalOptions, 'signIn' | 'store' | 'publicUrl'>, request: FastifyRequest): Promise<Visitor> {
  const { cookie, 'x-account-id': asked } = request.headers;
  if (!holdsSession(cookie)) throw new GatewayError('missing_session', 'Sign in first: the request has no session cookie.');
  refuseOtherSites(request, options.publicUrl);
  const person = await options.signIn.person(browserOf(request));
  if (person === null) throw new GatewayError('invalid_session', 'The session has expired or was signed out; sign in again.');
  if (typeof asked === 'string' && asked !== '' && !isId(asked)) throw noAccountId(request);
  const places = await membershipsOf(options.store, person.userId);
  const acting = await actingAccount(options.store, places, typeof asked === 'string' && asked !== '' ? asked : undefined);
  return { ...person, places, acting };
}

type Limited = Pick<PortalOptions, 'limiter'>;

/** Counts a request that comes before a sign-in. */
export async function boundClient({ limiter }: Limited, { ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
  await bound(limiter, reply, { name: `portal client ${networkOf(ip)}`, perMinute: perClient, scope: 'sign_in' });
}

/** Counts a request of somebody who is signed in. */
export async function boundPerson({ limiter }: Limited, { userId }: Person, reply: FastifyReply): Promise<void> {
  await bound(limiter, reply, { name: `portal ${userId}`, perMinute: perPerson, scope: 'portal' });
}

/** Hook of the endpoints that come before a sign-in: anybody may ask, from the portal's own pages, not too often. */
export function anybody(options: PortalOptions): onRequestAsyncHookHandler {
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseOtherSites(request, options.publicUrl);
    await boundClient(options, request, reply);
  };
}

/** Hook of the portal's own endpoints: somebody is signed in. */
export function signedIn(options: PortalOptions): onRequestAsyncHookHandler {
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    request.visitor = await visitorOf(options, request);
    const { acting, userId, email } = request.visitor;
    request.trace.accountId = acting?.accountId ?? null;
    request.trace.person = { id: userId, email };
    // A forwarded request was counted where it came in, and an inner one with all the others.
    if (request.forwarded === null && !request.isInner) await boundPerson(options, request.visitor, reply);
  };
}

/**
 * Hook: somebody is signed in and acts for an account, with one of these roles where they are given. `actingFor` reads it.
 * Requests that change something are refused while the account is suspended.
 */
export function actsForAccount(options: PortalOptions, roles?: readonly Role[]): onRequestAsyncHookHandler {
  const signed = signedIn(options);
  return async function (request, reply) {
    await signed.call(this, request, reply);
    const { role, account } = actingFor(request);
    if (roles !== undefined && !roles.includes(role)) throw notAllowed();
    if (changesSomething(request)) refuseSuspended(role, account);
  };
}

/** Hook: an operator, or with `providerAdmins` also the admin of a provider. */
export function administers(options: PortalOptions, { providerAdmins }: { providerAdmins: boolean }): onRequestAsyncHookHandler {
  const signed = signedIn(options);
  return async function (request, reply) {
    await signed.call(this, request, reply);
    const allowed = request.visitor.places.some(({ role }) => role === 'operator' || (providerAdmins && role === 'provider_admin'));
    if (!allowed) throw notAllowed();
  };
}

/** The account this request is about; throws forbidden when there is none. */
export function actingFor({ visitor: { acting } }: Pick<FastifyRequest, 'visitor'>): ActingFor {
  if (acting === null) throw noAccount();
  return acting;
}

export const noAccount = () => new GatewayError('forbidden', 'Choose an account first (header X-Account-Id).');

/** Hook, after `signedIn`: refuses requests that people of a suspended account may not make for themselves either. */
export const refuseWhileSuspended: onRequestAsyncHookHandler = async ({ visitor: { acting } }) => {
  if (acting !== null) refuseSuspended(acting.role, acting.account);
};

function noAccountId({ query }: FastifyRequest): GatewayError {
  const field = typeof query === 'object' && query !== null && 'account_id' in query ? 'account_id' : 'X-Account-Id';
  return new GatewayError('invalid_request', `${field} must be the id of an account.`, { field });
}

function notAllowed(): GatewayError {
  return new GatewayError('forbidden', 'Your role does not allow this.');
}

/** A change by the person who is signed in, for the audit log. */
export function actOf({ visitor }: FastifyRequest, now: number): Act {
  return { actor: actorOf(visitor), now };
}

function actorOf({ userId, email, places, acting }: Visitor): Actor {
  const user = { kind: 'user', id: userId, name: email } as const;
  const providerIds = administered(places);
  if (providerIds.length === 0 || places.some(({ role }) => role === 'operator')) return user;
  // A role of their own at another account is not what let them in.
  const isOwn = acting !== null && acting.role !== 'provider_admin';
  return { ...user, reach: { providerIds, accountIds: isOwn ? [acting.accountId] : [] } };
}

/**
 * Hook, before the others, for requests that a browser makes without our headers (a stream, a picture, a download): the account
 * may stand in `?account_id=` instead of X-Account-Id.
 */
export const accountFromQuery: onRequestHookHandler = (request, _reply, done) => {
  const { account_id: asked } = request.query as { account_id?: unknown };
  if (typeof asked === 'string') request.headers['x-account-id'] ??= asked;
  done();
};

/** Lets signed-in people use the API's own endpoints for the account they act for. */
export function portalPath(options: Pick<PortalOptions, 'signIn' | 'store' | 'publicUrl'>): PortalPath {
  return {
    isTaken: ({ headers }) => holdsSession(headers.cookie) || headers['x-portal'] === '1',
    async admit(request) {
      request.visitor = await visitorOf(options, request);
      const { userId, email } = request.visitor;
      return { person: { id: userId, email }, actor: actorOf(request.visitor), terms: actingFor(request).terms };
    },
  };
}
