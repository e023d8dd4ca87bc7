import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AccountSummary, bounds, listPlans, listProviders } from '../../../accounts/index.ts';
import { GatewayError } from '../../../core/index.ts';
import type { PlanRow, Store } from '../../../store/index.ts';
import { email, id, moment, name, reference, wholeNumber } from '../../fields.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { operatorsAlone, providerInReach, reachOf } from '../../reach.ts';

/** What may be changed of an account. */
export const accountChange = z.object({
  name: name.optional(),
  provider_id: id.optional(),
  status: z.enum(['active', 'suspended']).optional(),
  /** Name or id. */
  plan: z.string().min(1).max(100).nullable().optional(),
  plan_ends_at: moment.nullable().optional(),
  access_ends_at: moment.nullable().optional(),
  instance_limit: wholeNumber(bounds.instanceLimit).nullable().optional(),
  operator: z.boolean().optional(),
  free_slots: wholeNumber(bounds.freeSlots).nullable().optional(),
  reference: reference.nullable().optional(),
});

/** A new account has a name; its first owner may be invited with it. */
export const newAccount = accountChange.extend({ name, owner_email: email.optional() });

/**
 * Throws what does not fit together, with the field: forbidden for what only operators may set, else invalid_request. `current` is null for a new
 * account.
 */
export async function checkTerms(
  store: Store,
  request: FastifyRequest,
  change: z.output<typeof accountChange>,
  current: AccountSummary | null,
): Promise<void> {
  operatorsAlone(request, change, ['provider_id', 'operator', 'free_slots']);
  const { provider_id, plan, plan_ends_at, operator = current?.operator === 1, free_slots } = change;
  if (provider_id !== undefined && !(await listProviders(store)).some((provider) => provider.id === provider_id))
    throw unfit('provider_id', 'must be the id of a provider');
  if (plan != null) await namedPlan(store, plan);
  const hasPlan = plan === undefined ? current != null && current.plan_id !== null : plan !== null;
  if (plan_ends_at != null && !hasPlan) throw unfit('plan_ends_at', 'must be left out while the account has no plan');
  if (operator && (free_slots === null || (free_slots === undefined && current?.free_slots == null)))
    throw unfit('free_slots', "must be given for an operator's own account");
  if (!operator && free_slots != null) throw unfit('free_slots', "must be left out: only an operator's own account has free slots");
}

/** The plan of this name or id; throws invalid_request when there is none. */
export async function namedPlan(store: Store, nameOrId: string): Promise<PlanRow> {
  const plan = (await listPlans(store)).find(({ id, name }) => name === nameOrId || id === nameOrId.toLowerCase());
  if (plan === undefined) throw unfit('plan', 'must be the name or id of a plan');
  return plan;
}

/**
 * The provider of new accounts: the one that was chosen; for an operator who chose none the built-in one, for an admin the only one. Throws
 * invalid_request when an admin of several chose none, and forbidden for one of others.
 */
export async function providerOfNew(options: PortalOptions, request: FastifyRequest, chosen: string | undefined): Promise<string> {
  const { providerIds } = reachOf(request.visitor);
  if (providerIds === null) return (await providerInReach(options, request, chosen ?? 'default')).id;
  const [only, ...more] = providerIds;
  const providerId = chosen?.toLowerCase() ?? (more.length === 0 ? only : undefined);
  if (providerId === undefined) throw unfit('provider_id', 'must say which of your providers the account belongs to');
  if (!providerIds.includes(providerId))
    throw new GatewayError('forbidden', 'provider_id must be one of your providers.', { field: 'provider_id' });
  return (await providerInReach(options, request, providerId)).id;
}

function unfit(field: string, expectation: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${expectation}.`, { field });
}
