import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { succeed } from '../../http/index.ts';
import {
  changeRole,
  openInvitation,
  removeRole,
  selectAnyInvitation,
  selectInvitationsOf,
  selectMember,
  selectMembers,
  withdrawInvitation,
} from '../../people/index.ts';
import { email, isId } from '../fields.ts';
import { fromOperatorInputLater } from '../input.ts';
import { inviteByLink } from '../invitations.ts';
import { invitationDetail, invitationViews, memberDetail, memberView } from '../people-views.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';

const role = z.enum(['owner', 'member']);
const newMember = z.object({ email, role });
const change = z.object({ role });

interface OfMember {
  Params: { id: string };
}

/** /portal/api/members: the members and invitations of the acting account. For its owners, and administrators who act for it. */
export function memberRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options, ['operator', 'provider_admin', 'owner']);

  server.get('/portal/api/members', { onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const members = await selectMembers(store.db, accountId);
    const invitations = await selectInvitationsOf(store.db, accountId, clock.now());
    return succeed(request, reply, { members: members.map(memberView), invitations: invitationViews(invitations) });
  });

  server.post<{ Body: z.output<typeof newMember> }>(
    '/portal/api/members',
    { schema: { body: newMember }, onRequest },
    async (request, reply) => {
      const { accountId, name } = actingFor(request);
      const place = { role: request.body.role, accountId, providerId: null };
      return succeed(request, reply, await inviteByLink(options, request, reply, { email: request.body.email, place, leadsTo: name }));
    },
  );

  server.get<OfMember>('/portal/api/members/invitations/:id', { onRequest }, async (request, reply) => {
    const { id } = request.params;
    const invited = isId(id) ? await selectAnyInvitation(store.db, id.toLowerCase()) : undefined;
    const own = invited?.account_id === actingFor(request).accountId;
    const detail = invited !== undefined && own ? await invitationDetail(store, invited, clock.now()) : undefined;
    if (detail === undefined) throw notThere('invitation');
    return succeed(request, reply, detail);
  });

  server.delete<OfMember>('/portal/api/members/invitations/:id', { onRequest }, async (request, reply) => {
    const { id } = request.params;
    const { accountId } = actingFor(request);
    const mayEnd = (link: { account_id: string | null }) => link.account_id === accountId;
    if (!isId(id) || !(await withdrawInvitation(store, id, mayEnd, actOf(request, clock.now())))) throw notThere('invitation');
    return succeed(request, reply, { invitation_id: id.toLowerCase() });
  });

  server.post<OfMember>('/portal/api/members/invitations/:id/resend', { onRequest }, async (request, reply) => {
    const { id } = request.params;
    const invited = isId(id) ? await openInvitation(store, id, clock.now()) : null;
    if (invited?.place.accountId !== actingFor(request).accountId) throw notThere('invitation');
    return succeed(request, reply, await inviteByLink(options, request, reply, invited));
  });

  server.get<OfMember>('/portal/api/members/:id', { onRequest }, async (request, reply) =>
    succeed(request, reply, memberDetail(await findMember(request.params.id, actingFor(request).accountId))),
  );

  server.patch<OfMember & { Body: z.output<typeof change> }>(
    '/portal/api/members/:id',
    { schema: { body: change }, onRequest },
    async (request, reply) => {
      const member = await findMember(request.params.id, actingFor(request).accountId);
      const of = { userId: member.id, accountId: actingFor(request).accountId };
      const changed = await fromOperatorInputLater(() => changeRole(store, of, request.body.role, actOf(request, clock.now())));
      if (!changed) throw notThere('member');
      return succeed(request, reply, memberView({ ...member, role: request.body.role }));
    },
  );

  server.delete<OfMember>('/portal/api/members/:id', { onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const member = await findMember(request.params.id, accountId);
    const place = { role: member.role, accountId, providerId: null };
    const act = actOf(request, clock.now());
    const removed = await fromOperatorInputLater(() => removeRole(store, member.id, place, { lastToo: false }, act));
    if (!removed) throw notThere('member');
    return succeed(request, reply, { user_id: member.id });
  });

  async function findMember(id: string, accountId: string) {
    const member = isId(id) ? await selectMember(store.db, accountId, id.toLowerCase()) : undefined;
    if (member === undefined) throw notThere('member');
    return member;
  }
}
