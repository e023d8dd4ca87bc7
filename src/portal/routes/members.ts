import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  changeRole,
  invitationView,
  memberDetail,
  memberView,
  removeRole,
  selectInvitationsOf,
  selectMember,
  selectMembers,
} from '../../people/index.ts';
import { endpoint } from '../endpoint.ts';
import { email, isId } from '../fields.ts';
import { invitationRoutes, inviteByLink } from '../invitations.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';
import type { MemberDetail, MemberView } from '../wire/account.ts';

const role = z.enum(['owner', 'member']);
const newMember = z.object({ email, role });
const change = z.object({ role });

/** The members and invitations of the acting account. For its owners, and administrators who act for it. */
export function memberRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options, ['operator', 'provider_admin', 'owner']);

  endpoint(server, 'GET /portal/api/members', { onRequest }, async (request) => {
    const { accountId } = actingFor(request);
    const members = await selectMembers(store.db, accountId);
    const invitations = await selectInvitationsOf(store.db, accountId, clock.now());
    return { members: members.map(memberView), invitations: invitations.map(invitationView) };
  });

  endpoint(server, 'POST /portal/api/members', { onRequest, body: newMember }, async (request, reply) => {
    const { accountId, name } = actingFor(request);
    const place = { role: request.body.role, accountId, providerId: null };
    return inviteByLink(options, request, reply, { email: request.body.email, place, leadsTo: name });
  });

  invitationRoutes(server, options, {
    path: '/portal/api/members/invitations',
    onRequest,
    inReach: async (request, { account_id }) => account_id === actingFor(request).accountId,
  });

  endpoint(
    server,
    'GET /portal/api/members/:id',
    { onRequest },
    async (request): Promise<MemberDetail> => memberDetail(await memberOf(request, request.params.id)),
  );

  endpoint(server, 'PATCH /portal/api/members/:id', { onRequest, body: change }, async (request): Promise<MemberView> => {
    const member = await memberOf(request, request.params.id);
    const { role } = request.body;
    const of = { userId: member.id, accountId: actingFor(request).accountId };
    if (!(await changeRole(store, of, role, actOf(request, clock.now())))) throw notThere('member');
    return memberView({ ...member, role });
  });

  endpoint(server, 'DELETE /portal/api/members/:id', { onRequest }, async (request) => {
    const { id, role } = await memberOf(request, request.params.id);
    const place = { role, accountId: actingFor(request).accountId, providerId: null };
    if (!(await removeRole(store, id, place, { lastToo: false }, actOf(request, clock.now())))) throw notThere('member');
    return { user_id: id };
  });

  async function memberOf(request: FastifyRequest, id: string) {
    const member = isId(id) ? await selectMember(store.db, actingFor(request).accountId, id.toLowerCase()) : undefined;
    if (member === undefined) throw notThere('member');
    return member;
  }
}
