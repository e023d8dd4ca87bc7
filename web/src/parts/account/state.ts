import type { AccountView } from '../../../../src/portal/wire/account.ts';

/** Whether an account can send, and if not, why. */
export type AccountState =
  | 'active'
  | 'suspended'
  | 'suspended_by_provider'
  | 'provider_suspended'
  | 'access_ended'
  | 'no_plan'
  | 'plan_ended'
  | 'trial_used_up';

/** Whether the account's people can only look. */
export function isSuspended({ status, provider_status }: AccountView): boolean {
  return status === 'suspended' || provider_status === 'suspended';
}

/** The state of an account. When several things stand in its way, it is the one that the server finds first. `now`: ms since 1970. */
export function accountState(account: AccountView, now: number): AccountState {
  const { status, suspended_by, provider_status, access_ends_at, plan, plan_ends_at, trial_used } = account;
  const isOver = (end: string | null) => end !== null && Date.parse(end) <= now;
  if (status === 'suspended') return suspended_by === 'provider' ? 'suspended_by_provider' : 'suspended';
  if (provider_status === 'suspended') return 'provider_suspended';
  if (isOver(access_ends_at)) return 'access_ended';
  if (plan === null) return 'no_plan';
  if (isOver(plan_ends_at)) return 'plan_ended';
  return plan.trial_message_limit !== null && trial_used >= plan.trial_message_limit ? 'trial_used_up' : 'active';
}
