import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import { accountTerms, admitted, selectNumbers } from '../../accounts/index.ts';
import { iso, noInstance } from '../../core/index.ts';
import { instanceQrRoute, instanceQrStatusRoute, networkOf } from '../../http/index.ts';
import { findScanLink, linkExpired, makeScanLink } from '../../people/index.ts';
import { bound } from '../bounds.ts';
import { linkAddress, linksBegin } from '../brand-of.ts';
import { endpoint } from '../endpoint.ts';
import { isId } from '../fields.ts';
import { boundMails } from '../invitations.ts';
import { refuseOtherSites } from '../origin.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { NewScanLink } from '../wire/session.ts';

/** A page asks once a second. Behind one address several may be open, and one link in several browsers. */
const perClient = 600;
const perLink = 300;

/** Making a scan link, and the pairing of its number for whoever has it, without a sign-in. */
export function scanLinkRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;

  const onRequest = actsForAccount(options, ['operator', 'provider_admin', 'owner']);
  endpoint(server, 'POST /portal/api/numbers/:id/scan-link', { onRequest }, async (request, reply): Promise<NewScanLink> => {
    const { accountId, account } = actingFor(request);
    const { id } = request.params;
    const [number] = isId(id) ? await selectNumbers(store.db, [id.toLowerCase()], { providerIds: null }) : [];
    if (number?.account_id !== accountId) throw noInstance({ moving: false });
    await boundMails(options, request, reply, { accountId, providerId: null });
    // Before the link is made: a failure to read it must not hide that there is one.
    const brand = await options.brands.ofProvider(account.provider_id);
    const made = await makeScanLink(store, number, actOf(request, clock.now()));
    return {
      instance_id: number.id,
      link: linkAddress(linksBegin(options, request, brand), made.token),
      expires_at: iso(made.expiresAt),
    };
  });

  const mount = { prefix: '/portal/api/links/:token', onRequest: byScanLink(options) };
  instanceQrRoute(server, options, mount);
  instanceQrStatusRoute(server, options, mount);
}

/** Hook: a scan link's token in the path stands for a key, at the link's number alone. Whoever made the link answers for what it does. */
function byScanLink(options: PortalOptions): onRequestAsyncHookHandler {
  const { store, clock, limiter } = options;
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseOtherSites(request, options.publicUrl);
    // A forwarded request was counted where it came in.
    const counted = request.forwarded === null;
    if (counted) await bound(limiter, reply, { name: `scans by ${networkOf(request.ip)}`, perMinute: perClient, scope: 'sign_in' });
    const { token, id } = request.params as { token: string; id: string };
    const link = await findScanLink(store, token, clock.now());
    if (link === null || link.instanceId !== id.toLowerCase()) throw linkExpired();
    if (counted) await bound(limiter, reply, { name: `scans of ${link.id}`, perMinute: perLink, scope: 'sign_in' });
    const { accountId, maker } = link;
    request.trace.accountId = accountId;
    const terms = admitted(await accountTerms(store, accountId), clock.now(), { planRequired: false });
    request.admission = { ...terms, keyId: null };
    request.actor = maker;
  };
}
