import { z } from 'zod';
import { type AccountSummary, bounds, listPlans, listProviders } from '../../../accounts/index.ts';
import { GatewayError } from '../../../core/index.ts';
import type { PlanRow, Store } from '../../../store/index.ts';
import { email, id, moment, name, reference, wholeNumber } from '../../fields.ts';

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

/** What only an operator may set. */
const operatorsOnly = ['provider_id', 'operator', 'free_slots'] as const;

/**
 * Throws what does not fit together, with the field: forbidden for what only operators may set, where the asker is `restricted` to a provider,
 * else invalid_request. `current` is null for a new account.
 */
export async function checkTerms(
  store: Store,
  change: z.output<typeof accountChange>,
  current: AccountSummary | null,
  { restricted }: { readonly restricted: boolean },
): Promise<void> {
  for (const field of operatorsOnly) {
    if (restricted && change[field] !== undefined) throw new GatewayError('forbidden', `Only an operator may set ${field}.`, { field });
  }
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

function unfit(field: string, expectation: string): GatewayError {
  return new GatewayError('invalid_request', `${field} ${expectation}.`, { field });
}
