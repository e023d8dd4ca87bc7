import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findAccount } from '../../../accounts/index.ts';
import { GatewayError } from '../../../core/index.ts';
import { invitationSorts, invitationView, type Place, selectInvitationPage } from '../../../people/index.ts';
import type { OneTimeLinkRow } from '../../../store/index.ts';
import { endpoint } from '../../endpoint.ts';
import { email, id, role, search } from '../../fields.ts';
import { invitationRoutes, inviteByLink } from '../../invitations.ts';
import { columnsOf } from '../../listing/csv.ts';
import { listRoutes } from '../../listing/list.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { accountInReach, placeInReach, providerInReach, reachOf } from '../../reach.ts';
import type { InvitationView } from '../../wire/account.ts';

const invitation = z.object({
  email,
  role,
  account_id: id.nullish(),
  provider_id: id.nullish(),
});

/** /portal/api/operator/invitations: to any role for an operator, to those at a provider and its accounts for its admin. */
export function operatorInvitationRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });

  listRoutes(server, options, {
    path: '/portal/api/operator/invitations',
    file: 'invitations',
    sorts: invitationSorts,
    usual: '-created',
    filters: { search, role: role.optional() },
    onRequest: [onRequest],
    read: (request, { search, role }, part) =>
      selectInvitationPage(store.db, { ...reachOf(request.visitor), search, role, now: clock.now() }, part),
    view: (_request, rows) => rows.map(invitationView),
    columns: columnsOf<InvitationView>('invitation_id', 'email', 'role', 'leads_to', 'created_at', 'expires_at'),
  });

  invitationRoutes(server, options, { path: '/portal/api/operator/invitations', onRequest, inReach });

  endpoint(server, 'POST /portal/api/operator/invitations', { onRequest, body: invitation }, async (request, reply) => {
    const { place, leadsTo } = await placeOf(request, request.body);
    return inviteByLink(options, request, reply, { email: request.body.email, place, leadsTo });
  });

  /** Whether the person administers where the invitation leads; throws account_suspended when they may change nothing there. */
  async function inReach(request: FastifyRequest, { account_id, provider_id }: OneTimeLinkRow): Promise<boolean> {
    const { providerIds } = reachOf(request.visitor);
    if (providerIds === null) return true;
    const sees =
      account_id === null
        ? provider_id !== null && providerIds.includes(provider_id)
        : (await findAccount(store, account_id, { providerIds })) !== undefined;
    if (sees) await placeInReach(options, request, { accountId: account_id, providerId: provider_id });
    return sees;
  }

  /** Where the invitation leads, with its name; throws forbidden and not_found. */
  async function placeOf(request: FastifyRequest, { role, account_id, provider_id }: z.output<typeof invitation>) {
    if (role === 'operator' && reachOf(request.visitor).providerIds !== null)
      throw new GatewayError('forbidden', 'Only an operator may invite operators.', { field: 'role' });
    const account = account_id == null ? null : await accountInReach(options, request, account_id);
    const provider = provider_id == null ? null : await providerInReach(options, request, provider_id);
    const place: Place = { role, accountId: account?.id ?? null, providerId: provider?.id ?? null };
    return { place, leadsTo: account?.name ?? provider?.name ?? null };
  }
}
