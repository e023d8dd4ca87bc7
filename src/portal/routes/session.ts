import type { FastifyInstance } from 'fastify';
import { type ActingFor, noteSeen, ownAccounts } from '../../accounts/index.ts';
import { succeed } from '../../http/index.ts';
import { portalAddress } from '../link-address.ts';
import { signedIn } from '../person.ts';
import type { ActingAccount, SessionView } from '../wire/index.ts';
import type { PortalWorld } from '../world.ts';

/** GET /portal/api/session: who is signed in, and for which account the pages speak. */
export function sessionRoute(server: FastifyInstance, world: PortalWorld): void {
  server.get('/portal/api/session', { onRequest: signedIn(world) }, async (request, reply) => {
    const { userId, sessionId, email, name, twoFactor, places, acting } = request.visitor;
    // Every page asks this when it is opened.
    await noteSeen(world.store.db, sessionId, world.clock.now());
    const view: SessionView = {
      user: { user_id: userId, email, name, two_factor: twoFactor },
      memberships: places.map(({ role, providerId, accountId }) => ({ role, provider_id: providerId, account_id: accountId })),
      accounts: (await ownAccounts(world.store, places)).map(accountView),
      account: acting === null ? null : accountView(acting),
      networks: world.networks,
      version: world.version,
      base_url: portalAddress(world, request),
    };
    return succeed(request, reply, view);
  });
}

function accountView({ accountId, name, status }: Pick<ActingFor, 'accountId' | 'name' | 'status'>): ActingAccount {
  return { account_id: accountId, name, status };
}
