import type { FastifyInstance } from 'fastify';
import { type ActingFor, ownAccounts } from '../../accounts/index.ts';
import { succeed } from '../../http/index.ts';
import { languageOf, noteSeen } from '../../people/index.ts';
import { brandOfVisitor, brandView, linksBegin } from '../brand-of.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { ActingAccount, PortalSession } from '../wire/index.ts';

/** GET /portal/api/session: who is signed in, and for which account the pages speak. */
export function sessionRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get('/portal/api/session', { onRequest: signedIn(options) }, async (request, reply) => {
    const { userId, sessionId, email, name, twoFactor, places, acting } = request.visitor;
    // Every page asks this when it is opened.
    await noteSeen(options.store.db, sessionId, options.clock.now());
    const brand = await brandOfVisitor(options, request);
    const view: PortalSession = {
      user: { user_id: userId, email, name, two_factor: twoFactor, language: await languageOf(options.store.db, userId) },
      memberships: places.map(({ role, providerId, accountId }) => ({ role, provider_id: providerId, account_id: accountId })),
      accounts: (await ownAccounts(options.store, places)).map(accountView),
      account: acting === null ? null : accountView(acting),
      networks: options.networks,
      version: options.version,
      idempotency: options.idempotency,
      base_url: linksBegin(options, request, brand),
      brand: brandView(brand),
    };
    return succeed(request, reply, view);
  });
}

function accountView({ accountId, name, status }: Pick<ActingFor, 'accountId' | 'name' | 'status'>): ActingAccount {
  return { account_id: accountId, name, status };
}
