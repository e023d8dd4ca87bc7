import type { AccountSummary } from '../accounts/index.ts';
import type { PlanRow } from '../store/index.ts';
import { iso, isoOrNull } from './times.ts';
import type { AccountView, PlanView } from './wire/index.ts';

/** An account as the portal answers it; `plans` are all there are. */
export function accountView(account: AccountSummary, plans: readonly PlanRow[]): AccountView {
  const plan = plans.find(({ id }) => id === account.plan_id);
  return {
    account_id: account.id,
    name: account.name,
    provider_id: account.provider_id,
    provider_name: account.provider_name,
    status: account.status,
    suspended_by: account.suspended_by,
    provider_status: account.provider_status,
    plan: plan === undefined ? null : planView(plan),
    plan_starts_at: isoOrNull(account.plan_starts_at),
    plan_ends_at: isoOrNull(account.plan_ends_at),
    access_ends_at: isoOrNull(account.access_ends_at),
    instance_limit: account.instance_limit,
    operator: account.operator !== 0,
    free_slots: account.free_slots,
    trial_used: account.trial_used,
    numbers: account.numbers,
    live_keys: account.live_keys,
    created_at: iso(account.created_at),
  };
}

/** A plan as the portal answers it. */
export function planView({ id, name, messages_per_minute, instance_limit, trial_message_limit, created_at }: PlanRow): PlanView {
  return { plan_id: id, name, messages_per_minute, instance_limit, trial_message_limit, created_at: iso(created_at) };
}
