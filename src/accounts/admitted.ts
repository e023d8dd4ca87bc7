import { GatewayError } from '../core/index.ts';
import type { AccountTerms } from '../store/index.ts';
import type { AccountWithPlan } from './queries/accounts.ts';

/**
 * The admission when its request may go on; otherwise throws the GatewayError that comes first in the contract's order
 * ("Authentication" §8). `now` is in epoch milliseconds; whatever ends at T is over at T. `planRequired` is false for the instance
 * endpoints that keep working when a plan has lapsed, `suspendedToo` is true for people who only look (decisions §13).
 */
export function admitted<Terms extends AccountTerms>(
  admission: Terms | null,
  now: number,
  options: { readonly planRequired: boolean; readonly suspendedToo?: boolean },
): Terms {
  if (admission === null) throw new GatewayError('invalid_api_key', 'The API key is unknown or revoked.');
  const suspended = admission.accountStatus === 'suspended' || admission.providerStatus === 'suspended';
  if (suspended && options.suspendedToo !== true) {
    throw new GatewayError('account_suspended', 'The account is suspended; ask your provider.');
  }
  if (admission.accessEndsAt !== null && admission.accessEndsAt <= now) {
    throw new GatewayError('access_expired', 'The access period of the account has ended; ask your provider.');
  }
  if (options.planRequired) {
    if (admission.planId === null) {
      throw new GatewayError('no_active_subscription', 'The account has no active plan.');
    }
    if (admission.planEndsAt !== null && admission.planEndsAt <= now) {
      throw new GatewayError('subscription_expired', 'The plan of the account has expired.');
    }
  }
  return admission;
}

/** The terms of an account that was looked up by its id. */
export function termsOf(account: AccountWithPlan): AccountTerms {
  return {
    accountId: account.id,
    accountStatus: account.status,
    providerStatus: account.provider_status,
    accessEndsAt: account.access_ends_at,
    planId: account.plan_id,
    planEndsAt: account.plan_ends_at,
    messagesPerMinute: account.messages_per_minute,
    trialMessageLimit: account.trial_message_limit,
  };
}

/** How many numbers an account may have, and what sets that limit (`details.limit_source` of the contract). */
export interface Allowance {
  readonly limit: number;
  readonly source: 'account' | 'plan' | 'free_slots';
}

/**
 * An operator's own account has its free slots and nothing else, any other account its own limit or else its plan's.
 * What was never granted is 0: an operator's account without free slots, an account without limit and plan.
 */
export function allowance({
  operator,
  free_slots,
  instance_limit,
  plan_instance_limit,
}: Pick<AccountWithPlan, 'operator' | 'free_slots' | 'instance_limit' | 'plan_instance_limit'>): Allowance {
  if (operator !== 0) return { limit: free_slots ?? 0, source: 'free_slots' };
  if (instance_limit !== null) return { limit: instance_limit, source: 'account' };
  return { limit: plan_instance_limit ?? 0, source: 'plan' };
}
