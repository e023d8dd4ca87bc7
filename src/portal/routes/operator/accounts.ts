import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { type AccountChanges, type AccountSummary, createCustomer, listPlans, updateAccount } from '../../../accounts/index.ts';
import { succeed } from '../../../http/index.ts';
import { selectMembers } from '../../../people/index.ts';
import { accountView } from '../../account-view.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { boundMails, handInvitation, seenBy } from '../../invitations.ts';
import { memberView } from '../../people-views.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { accountInReach, reachOf } from '../../reach.ts';
import type { AccountDetail, NewAccountView } from '../../wire/index.ts';
import { accountChange, checkTerms, newAccount } from './account-terms.ts';
import { providerOfNew } from './provider-of-new.ts';

interface OfAccount {
  Params: { id: string };
}

/** /portal/api/operator/accounts and /{id}: one account, for an operator or the admin of its provider. */
export function operatorAccountRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });

  server.get<OfAccount>('/portal/api/operator/accounts/:id', { onRequest }, async (request, reply) =>
    succeed(request, reply, await detail(await accountInReach(options, request, request.params.id))),
  );

  server.post<{ Body: z.output<typeof newAccount> }>(
    '/portal/api/operator/accounts',
    { schema: { body: newAccount }, onRequest },
    async (request, reply) => {
      const { body } = request;
      const { providerIds } = reachOf(request.visitor);
      const { provider_id: chosen, ...others } = body;
      const restricted = providerIds !== null;
      await checkTerms(store, restricted ? others : body, null, { restricted });
      const providerId = restricted ? await providerOfNew(options, request, chosen) : chosen;
      const changes = { ...changesOf(body), name: body.name, providerId };
      const act = actOf(request, clock.now());
      const email = body.owner_email ?? null;
      if (email !== null) await boundMails(options, request, reply, { accountId: null, providerId: providerId ?? null });
      const owner = { email, seenBy: seenBy(options, request) };
      const { account, invitation } = await fromOperatorInputLater(() =>
        createCustomer(store, changes, owner, act, restricted ? 'provider' : 'operator'),
      );
      const place = { role: 'owner', accountId: account.id, providerId: null } as const;
      const handed =
        email === null || invitation === null
          ? null
          : await handInvitation(options, request, invitation, { email, place, leadsTo: account.name });
      const view: NewAccountView = { ...(await detail(account)), invitation: handed };
      return succeed(request, reply, view);
    },
  );

  server.patch<OfAccount & { Body: z.output<typeof accountChange> }>(
    '/portal/api/operator/accounts/:id',
    { schema: { body: accountChange }, onRequest },
    async (request, reply) => {
      const current = await accountInReach(options, request, request.params.id);
      const restricted = reachOf(request.visitor).providerIds !== null;
      await checkTerms(store, request.body, current, { restricted });
      const act = actOf(request, clock.now());
      const as = restricted ? 'provider' : 'operator';
      const account = await fromOperatorInputLater(() => updateAccount(store, current.id, changesOf(request.body), act, as));
      return succeed(request, reply, await detail(account));
    },
  );

  async function detail(account: AccountSummary): Promise<AccountDetail> {
    const [plans, members] = await Promise.all([listPlans(store), selectMembers(store.db, account.id)]);
    return { ...accountView(account, plans), reference: account.reference, members: members.map(memberView) };
  }
}

function changesOf(body: z.output<typeof accountChange>): AccountChanges {
  return {
    name: body.name,
    providerId: body.provider_id,
    status: body.status,
    plan: body.plan,
    planEndsAt: body.plan_ends_at,
    accessEndsAt: body.access_ends_at,
    instanceLimit: body.instance_limit,
    operator: body.operator,
    freeSlots: body.free_slots ?? undefined,
    reference: body.reference,
  };
}
