import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ActingFor, ownAccounts } from '../../accounts/index.ts';
import { languages } from '../../language/index.ts';
import { chooseLanguage, endOtherSessions, languageOf } from '../../people/index.ts';
import { brandOfVisitor, brandView, linksBegin } from '../brand-of.ts';
import { endpoint } from '../endpoint.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';
import type { PortalSessionRecord } from '../sign-in/sign-in.ts';

/** How many browsers are shown; the newest. */
const mostShown = 100;
const chosen = z.object({ language: z.enum(languages, { error: `must be one of ${languages.join(', ')}, or null` }).nullable() });

/** Who is signed in, in which language and where, and for which account the pages speak. */
export function sessionRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, signIn } = options;
  const onRequest = signedIn(options);

  endpoint(server, 'GET /portal/api/session', { onRequest }, (request) => sessionView(options, request));

  // The language of the person's pages and mails; null: the browser's again.
  endpoint(server, 'PUT /portal/api/language', { onRequest, body: chosen }, async ({ visitor, body }) => {
    await chooseLanguage(store.db, visitor.userId, body.language);
    return { language: body.language };
  });

  endpoint(server, 'GET /portal/api/browsers', { onRequest }, async ({ visitor: { userId, sessionId } }) => {
    const sessions = (await signIn.sessions(userId)).toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    return { browsers: sessions.slice(0, mostShown).map((session) => browserView(session, sessionId)) };
  });

  endpoint(server, 'DELETE /portal/api/browsers/others', { onRequest }, async ({ visitor: { userId, sessionId } }) => ({
    ended: await endOtherSessions(store.db, userId, sessionId, clock.now()),
  }));

  endpoint(server, 'DELETE /portal/api/browsers/:id', { onRequest }, async ({ params, visitor }) => {
    const id = params.id.toLowerCase();
    if (!(await signIn.endSession(visitor.userId, id))) throw notThere('session');
    return { session_id: id };
  });
}

/** Who is signed in, and for which account the pages speak. */
export async function sessionView(options: PortalOptions, request: FastifyRequest) {
  const { store } = options;
  const { userId, email, name, twoFactor, places, acting } = request.visitor;
  // Every page asks this when it is opened.
  options.seenSessions.note(request.visitor);
  const brand = await brandOfVisitor(options, request);
  return {
    user: { user_id: userId, email, name, two_factor: twoFactor, language: await languageOf(store.db, userId) },
    memberships: places.map(({ role, providerId, accountId }) => ({ role, provider_id: providerId, account_id: accountId })),
    accounts: (await ownAccounts(store, places)).map(accountView),
    account: acting === null ? null : accountView(acting),
    networks: options.networks,
    version: options.version,
    idempotency: options.idempotency,
    base_url: linksBegin(options, request, brand),
    brand: brandView(brand),
  };
}

function accountView({ accountId, name, status }: Pick<ActingFor, 'accountId' | 'name' | 'status'>) {
  return { account_id: accountId, name, status };
}

/** A browser in which the person is signed in; `current`: the session that asks. */
export function browserView({ id, userAgent = null, ipAddress = null, createdAt, updatedAt }: PortalSessionRecord, current: string) {
  return {
    session_id: id,
    user_agent: userAgent,
    ip_address: ipAddress,
    created_at: createdAt.toISOString(),
    last_seen_at: updatedAt.toISOString(),
    current: id === current,
  };
}
