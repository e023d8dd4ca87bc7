import { type AccountSummary, admitted, allowance, termsOf } from '../accounts/index.ts';
import { GatewayError } from '../core/index.ts';
import { fields, iso, isoOrNull } from './output.ts';

/** An account as JSON. */
export function accountJson(account: AccountSummary, now: number) {
  const { limit, source } = allowanceOf(account);
  return {
    account_id: account.id,
    name: account.name,
    status: account.status,
    suspended_by: account.suspended_by,
    refused_with: refusal(account, now),
    provider_id: account.provider_id,
    provider_status: account.provider_status,
    plan: account.plan_name,
    plan_id: account.plan_id,
    plan_starts_at: isoOrNull(account.plan_starts_at),
    plan_ends_at: isoOrNull(account.plan_ends_at),
    access_ends_at: isoOrNull(account.access_ends_at),
    messages_per_minute: account.messages_per_minute,
    trial_message_limit: account.trial_message_limit,
    trial_used: account.trial_used,
    instance_limit: account.instance_limit,
    operator: account.operator !== 0,
    free_slots: account.free_slots,
    numbers: account.numbers,
    numbers_allowed: limit,
    limit_source: source,
    live_keys: account.live_keys,
    reference: account.reference,
    created_at: iso(account.created_at),
  };
}

/** An account for people. */
export function accountText(account: AccountSummary, now: number): string {
  const { limit, source } = allowanceOf(account);
  const trial = account.trial_message_limit;
  return fields([
    ['account id', account.id],
    ['name', account.name],
    ['status', account.suspended_by === null ? account.status : `${account.status} by the ${account.suspended_by}`],
    ['next send', refusal(account, now) ?? 'admitted'],
    ['provider', `${account.provider_id} (${account.provider_name}, ${account.provider_status})`],
    ['plan', account.plan_name],
    ['plan starts', isoOrNull(account.plan_starts_at)],
    ['plan ends', isoOrNull(account.plan_ends_at) ?? 'never'],
    ['access ends', isoOrNull(account.access_ends_at) ?? 'never'],
    ['messages per minute', account.messages_per_minute],
    ['trial messages', trial === null ? null : `${account.trial_used} of ${trial} used`],
    ['numbers', `${account.numbers} of ${limit} (limit of the ${source.replace('_', ' ')})`],
    ['live keys', account.live_keys],
    ['reference', account.reference],
    ['created', iso(account.created_at)],
  ]);
}

function allowanceOf(account: AccountSummary) {
  return allowance({
    operator: account.operator,
    freeSlots: account.free_slots,
    ownLimit: account.instance_limit,
    planLimit: account.plan_instance_limit,
  });
}

/** The code a send with a good key would be refused with before its body is read, rate limit aside; null when it would be admitted. */
export function refusal(account: AccountSummary, now: number): string | null {
  try {
    admitted(termsOf(account), now, { planRequired: true });
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}
