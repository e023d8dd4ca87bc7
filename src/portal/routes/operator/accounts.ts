import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import { GatewayError } from '../../../core/index.ts';
import { succeed } from '../../../http/index.ts';
import { accountView } from '../../account-view.ts';
import { id, search } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { memberView } from '../../people-views.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { accountInReach, notThere, providerInReach, reachOf } from '../../reach.ts';
import type { AccountDetail } from '../../wire/index.ts';
import { accountChange, checkTerms, newAccount } from './account-terms.ts';

const wanted = z.object({ search, provider_id: id.optional() });

interface OfAccount {
  Params: { id: string };
}

/** /portal/api/operator/accounts: every account for an operator, a provider's for its admin. */
export function operatorAccountRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });

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
      const providerId = restricted ? await ownProvider(request, providerIds, chosen) : chosen;
      const changes = { ...changesOf(body), name: body.name, providerId };
      const act = actOf(request, clock.now());
      const account = await fromOperatorInputLater(() => createAccount(store, changes, act, restricted ? 'provider' : 'operator'));
      return succeed(request, reply, await detail(account));
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

  /** The provider of a new account: the admin's only one, or the one that the admin of several chose. */
  async function ownProvider(request: FastifyRequest, providerIds: readonly string[], chosen: string | undefined): Promise<string> {
    const [only, ...more] = providerIds;
    const providerId = chosen?.toLowerCase() ?? (more.length === 0 ? only : undefined);
    if (providerId === undefined)
      throw new GatewayError('invalid_request', 'provider_id must say which of your providers the account belongs to.', {
        field: 'provider_id',
      });
    if (!providerIds.includes(providerId))
      throw new GatewayError('forbidden', 'provider_id must be one of your providers.', { field: 'provider_id' });
    return (await providerInReach(options, request, providerId)).id;
  }

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
