import { type AccountSummary, accountView as ofAccount, planView } from '../accounts/index.ts';
import { type Stages, stageNames } from '../core/index.ts';
import { requestView as ofRequest } from '../requests/index.ts';
import type { PlanRow, RequestRecord } from '../store/index.ts';
import { type AccountUsage, usedView } from '../usage/index.ts';

/** A request of the log as the portal answers it; `prefixes` are those of its account. */
export function requestView(record: RequestRecord, prefixes: ReadonlyMap<string, string>) {
  return {
    ...ofRequest(record),
    person: record.person_email,
    key_prefix: record.key_id === null ? null : (prefixes.get(record.key_id) ?? null),
    stages: record.stages === null ? [] : stagesView(record.stages),
  };
}

function stagesView(stages: Stages) {
  return stageNames.flatMap((stage) => {
    const ms = stages[stage];
    return ms === null ? [] : [{ stage, ms }];
  });
}

/** An account with its plan; `plans` are all there are. */
export function accountView(account: AccountSummary, plans: readonly PlanRow[]) {
  const plan = plans.find(({ id }) => id === account.plan_id);
  return { ...ofAccount(account), provider_name: account.provider_name, plan: plan === undefined ? null : planView(plan) };
}

/** What an account used, against what it may use. */
export function usageView({ account, numbers, allowed, ...used }: AccountUsage) {
  return {
    account_id: account.id,
    name: account.name,
    reference: account.reference,
    provider_name: account.provider_name,
    status: account.status,
    plan_name: account.plan_name,
    ...usedView(used),
    numbers,
    instance_limit: allowed.limit,
    messages_per_minute: account.messages_per_minute,
    trial_message_limit: account.trial_message_limit,
    trial_used: account.trial_used,
  };
}
