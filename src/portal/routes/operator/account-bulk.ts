import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type AccountSummary,
  extended,
  findPlan,
  listPlans,
  selectAccountsOf,
  type TermsChange,
  termsAfter,
} from '../../../accounts/index.ts';
import { GatewayError, isoOrNull, moment } from '../../../core/index.ts';
import type { InnerRequest } from '../../../http/index.ts';
import type { PlanRow } from '../../../store/index.ts';
import { email, id, wholeNumber } from '../../fields.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../../listing/bulk.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { authorityOf, reachOf } from '../../reach.ts';
import type { BulkTerms } from '../../wire/listing.ts';

const endWithoutPlan = { error: 'must be left out while the account has no plan', path: ['plan_ends_at'] };
const endsWithPlan = ({ plan, plan_ends_at }: { readonly plan: string | null; readonly plan_ends_at?: number | null | undefined }) =>
  plan !== null || plan_ends_at == null;

const body = z.discriminatedUnion('action', [
  z.object({ ...bulkFields, action: z.literal(['suspend', 'resume']) }),
  z
    .object({
      ...bulkFields,
      action: z.literal('plan'),
      /** Name or id; null: none. */
      plan: z.string().min(1).max(100).nullable(),
      plan_ends_at: moment.nullable().optional(),
    })
    .refine(endsWithPlan, endWithoutPlan),
  z
    .object({
      ...bulkFields,
      action: z.literal('extend'),
      until: moment.optional(),
      days: wholeNumber({ min: 1, max: 3650 }).optional(),
    })
    .refine(({ until, days }) => (until === undefined) !== (days === undefined), {
      error: 'must be given, or else days, and not both',
      path: ['until'],
    }),
  z.object({
    ...bulkFields,
    action: z.literal('restore'),
    /** By account, as `before` of an earlier result has them. */
    terms: z.record(
      id,
      z
        .object({ plan: id.nullable(), plan_ends_at: moment.nullable(), access_ends_at: moment.nullable() })
        .refine(endsWithPlan, endWithoutPlan),
    ),
  }),
  z.object({ ...bulkFields, action: z.literal('invite'), email, role: z.enum(['owner', 'member']) }),
]);
type Body = z.output<typeof body>;

/** POST /portal/api/operator/accounts/bulk: what PATCH of an account and an invitation do, for many accounts. */
export function accountBulkRoute(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  bulkRoute(server, options, {
    path: '/portal/api/operator/accounts/bulk',
    body,
    onRequest: administers(options, { providerAdmins: true }),
    what: 'account',
    async intend(request, wanted) {
      const now = clock.now();
      if (wanted.action === 'extend' && wanted.until !== undefined && wanted.until <= now)
        throw new GatewayError('invalid_request', 'until must be in the future.', { field: 'until' });
      const planId = wanted.action === 'plan' && wanted.plan !== null ? (await findPlan(store.db, wanted.plan)).id : null;
      const plans = await listPlans(store);
      const { providerIds } = reachOf(request.visitor);
      const accounts = (await selectAccountsOf(store.db, wanted.ids)).filter(
        (account) => providerIds === null || providerIds.includes(account.provider_id),
      );
      return new Map(accounts.map((account) => [account.id, intention(request, account, wanted, { planId, plans, now })]));
    },
  });
}

interface Known {
  /** Of the plan that was named; null: none. */
  readonly planId: string | null;
  readonly plans: readonly PlanRow[];
  readonly now: number;
}

function intention({ visitor }: FastifyRequest, account: AccountSummary, wanted: Body, known: Known): Intention {
  const { id, name, status, suspended_by, provider_status } = account;
  const before = { status, suspended_by, ...shown(account, known.plans) };
  const isOperator = authorityOf(visitor) === 'operator';
  if (!isOperator && (suspended_by === 'operator' || provider_status === 'suspended'))
    return { name, before, work: reason('account_suspended', 'An operator suspended this. Only an operator can change or resume it.') };
  const change = (changes: object): Intention => ({
    name,
    before,
    work: [{ method: 'PATCH', url: `/portal/api/operator/accounts/${id}`, body: changes }],
  });
  const nothing = (message: string): Intention => ({ name, before, work: reason('nothing_to_do', message) });
  const terms = (set: TermsChange, unchanged: string): Intention => {
    const after = shown(termsAfter(account, set, known.now), known.plans);
    const changes = termsChange(before, after);
    return Object.keys(changes).length === 0 ? nothing(unchanged) : { ...change(changes), after };
  };
  switch (wanted.action) {
    case 'suspend':
      return status === 'suspended' && (suspended_by === 'operator') === isOperator
        ? nothing('It is suspended already.')
        : change({ status: 'suspended' });
    case 'resume':
      return status === 'active' ? nothing('It is not suspended.') : change({ status: 'active' });
    case 'plan':
      return terms(
        { planId: known.planId, planEndsAt: wanted.plan_ends_at },
        known.planId === null ? 'It has no plan already.' : 'It has this plan already.',
      );
    case 'extend': {
      const { until, days = 0 } = wanted;
      const later = (end: number | null) => extended(end, until === undefined ? { days } : { until }, known.now);
      const { plan_ends_at, access_ends_at } = account;
      return terms(
        { planEndsAt: later(plan_ends_at), accessEndsAt: later(access_ends_at) },
        plan_ends_at === null && access_ends_at === null ? 'It has no end.' : 'It does not end before that day.',
      );
    }
    case 'restore': {
      const then = wanted.terms[id];
      if (then === undefined) return nothing('Its terms were not given.');
      const { plan: planId, plan_ends_at: planEndsAt, access_ends_at: accessEndsAt } = then;
      return terms({ planId, planEndsAt, accessEndsAt }, 'It is as it was already.');
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

function shown(
  { plan_id, plan_ends_at, access_ends_at }: Pick<AccountSummary, 'plan_id' | 'plan_ends_at' | 'access_ends_at'>,
  plans: readonly PlanRow[],
): BulkTerms {
  return {
    plan: plan_id,
    plan_name: plans.find((plan) => plan.id === plan_id)?.name ?? null,
    plan_ends_at: isoOrNull(plan_ends_at),
    access_ends_at: isoOrNull(access_ends_at),
  };
}

/** What PATCH of the account must be given for exactly this; what stays is left out. */
function termsChange(before: BulkTerms, after: BulkTerms) {
  const another = before.plan !== after.plan;
  return {
    ...(another ? { plan: after.plan } : {}),
    ...(after.plan !== null && (another || before.plan_ends_at !== after.plan_ends_at) ? { plan_ends_at: after.plan_ends_at } : {}),
    ...(before.access_ends_at === after.access_ends_at ? {} : { access_ends_at: after.access_ends_at }),
  };
}
