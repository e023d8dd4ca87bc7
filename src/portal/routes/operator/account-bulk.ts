import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AccountSummary, selectAccountsOf } from '../../../accounts/index.ts';
import { isoOrNull } from '../../../core/index.ts';
import type { InnerRequest } from '../../../http/index.ts';
import { email, moment } from '../../fields.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../../listing/bulk.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { authorityOf, reachOf } from '../../reach.ts';
import { namedPlan } from './account-terms.ts';

const body = z.discriminatedUnion('action', [
  z.object({ ...bulkFields, action: z.literal(['suspend', 'resume']) }),
  z.object({
    ...bulkFields,
    action: z.literal('plan'),
    /** Name or id; null: none. */
    plan: z.string().min(1).max(100).nullable(),
    plan_ends_at: moment.nullable().optional(),
  }),
  z.object({ ...bulkFields, action: z.literal('invite'), email, role: z.enum(['owner', 'member']) }),
]);
type Body = z.output<typeof body>;

/** POST /portal/api/operator/accounts/bulk: what PATCH of an account and an invitation do, for many accounts. */
export function accountBulkRoute(server: FastifyInstance, options: PortalOptions): void {
  const { store } = options;
  bulkRoute(server, options, {
    path: '/portal/api/operator/accounts/bulk',
    body,
    onRequest: administers(options, { providerAdmins: true }),
    what: 'account',
    async intend(request, wanted) {
      const plan = wanted.action === 'plan' && wanted.plan !== null ? (await namedPlan(store, wanted.plan)).id : null;
      const { providerIds } = reachOf(request.visitor);
      const accounts = (await selectAccountsOf(store.db, wanted.ids)).filter(
        (account) => providerIds === null || providerIds.includes(account.provider_id),
      );
      return new Map(accounts.map((account) => [account.id, intention(request, account, wanted, plan)]));
    },
  });
}

function intention({ visitor }: FastifyRequest, account: AccountSummary, wanted: Body, planId: string | null): Intention {
  const { id, name, status, suspended_by, provider_status, plan_id, plan_ends_at } = account;
  const before = { status, plan: plan_id, plan_ends_at: isoOrNull(plan_ends_at) };
  const isOperator = authorityOf(visitor) === 'operator';
  if (!isOperator && (suspended_by === 'operator' || provider_status === 'suspended'))
    return { name, before, work: reason('account_suspended', 'An operator suspended this. Only an operator can change or resume it.') };
  const change = (changes: object): Intention => ({
    name,
    before,
    work: [{ method: 'PATCH', url: `/portal/api/operator/accounts/${id}`, body: changes }],
  });
  const nothing = (message: string): Intention => ({ name, before, work: reason('nothing_to_do', message) });
  switch (wanted.action) {
    case 'suspend':
      return status === 'suspended' && (suspended_by === 'operator') === isOperator
        ? nothing('It is suspended already.')
        : change({ status: 'suspended' });
    case 'resume':
      return status === 'active' ? nothing('It is not suspended.') : change({ status: 'active' });
    case 'plan': {
      const { plan_ends_at: ends } = wanted;
      if (plan_id === planId && (ends === undefined || ends === plan_ends_at))
        return nothing(planId === null ? 'It has no plan already.' : 'It has this plan already.');
      return change({ plan: planId, ...(ends === undefined ? {} : { plan_ends_at: isoOrNull(ends) }) });
    }
    case 'invite': {
      const invitation: InnerRequest = {
        method: 'POST',
        url: '/portal/api/operator/invitations',
        body: { email: wanted.email, role: wanted.role, account_id: id },
      };
      return { name, work: [invitation] };
    }
  }
}
