import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  type AccountChanges,
  type AccountSummary,
  createAccount,
  findAccounts,
  listPlans,
  selectMembers,
  updateAccount,
} from '../../../accounts/index.ts';
import { succeed } from '../../../http/index.ts';
import { accountView } from '../../account-view.ts';
import { id, search } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { memberView } from '../../people-views.ts';
import { actOf, administers } from '../../person.ts';
import { accountInReach, notThere, reachOf } from '../../reach.ts';
import type { AccountDetail } from '../../wire/index.ts';
import type { PortalWorld } from '../../world.ts';
import { accountChange, checkTerms, newAccount } from './account-terms.ts';

const wanted = z.object({ search, provider_id: id.optional() });

interface OfAccount {
  Params: { id: string };
}

/** /portal/api/operator/accounts: every account for an operator, a provider's for its admin. */
export function operatorAccountRoutes(server: FastifyInstance, world: PortalWorld): void {
  const { store, clock } = world;
  const onRequest = administers(world, { providerAdmins: true });

  server.get<{ Querystring: z.output<typeof wanted> }>(
    '/portal/api/operator/accounts',
    { schema: { querystring: wanted }, onRequest },
    async (request, reply) => {
      const { search, provider_id } = request.query;
      const { providerIds } = reachOf(request.visitor);
      if (provider_id !== undefined && providerIds !== null && !providerIds.includes(provider_id)) throw notThere('provider');
      const filter = { providerIds: provider_id === undefined ? providerIds : [provider_id], search };
      const [{ rows, total }, plans] = await Promise.all([findAccounts(store, filter), listPlans(store)]);
      return succeed(request, reply, { accounts: rows.map((account) => accountView(account, plans)), total });
    },
  );

  server.get<OfAccount>('/portal/api/operator/accounts/:id', { onRequest }, async (request, reply) =>
    succeed(request, reply, await detail(await accountInReach(world, request, request.params.id))),
  );

  server.post<{ Body: z.output<typeof newAccount> }>(
    '/portal/api/operator/accounts',
    { schema: { body: newAccount }, onRequest },
    async (request, reply) => {
      const { body } = request;
      const { providerIds } = reachOf(request.visitor);
      await checkTerms(store, body, null, { restricted: providerIds !== null });
      const changes = { ...changesOf(body), name: body.name, ...(providerIds === null ? {} : { providerId: providerIds[0] }) };
      const account = await fromOperatorInputLater(() => createAccount(store, changes, actOf(request, clock.now())));
      return succeed(request, reply, await detail(account));
    },
  );

  server.patch<OfAccount & { Body: z.output<typeof accountChange> }>(
    '/portal/api/operator/accounts/:id',
    { schema: { body: accountChange }, onRequest },
    async (request, reply) => {
      const current = await accountInReach(world, request, request.params.id);
      await checkTerms(store, request.body, current, { restricted: reachOf(request.visitor).providerIds !== null });
      const act = actOf(request, clock.now());
      const account = await fromOperatorInputLater(() => updateAccount(store, current.id, changesOf(request.body), act));
      return succeed(request, reply, await detail(account));
    },
  );

  async function detail(account: AccountSummary): Promise<AccountDetail> {
    const [plans, members] = await Promise.all([listPlans(store), selectMembers(store.db, account.id)]);
    return { ...accountView(account, plans), members: members.map(memberView) };
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
  };
}
