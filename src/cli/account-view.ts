import { type AccountSummary, accountView, allowance, refusalOf } from '../accounts/index.ts';
import { iso, isoOrNull } from '../core/index.ts';
import { fields } from './output.ts';

export function accountJson(account: AccountSummary, now: number) {
  const { limit, source } = allowance(account);
  return {
    ...accountView(account),
    refused_with: refusalOf(account, now),
    plan: account.plan_name,
    plan_id: account.plan_id,
    messages_per_minute: account.messages_per_minute,
    trial_message_limit: account.trial_message_limit,
    numbers_allowed: limit,
    limit_source: source,
    reference: account.reference,
  };
}

export function accountText(account: AccountSummary, now: number): string {
  const { limit, source } = allowance(account);
  const trial = account.trial_message_limit;
  return fields([
    ['account id', account.id],
    ['name', account.name],
    ['status', account.suspended_by === null ? account.status : `${account.status} by the ${account.suspended_by}`],
    ['next send', refusalOf(account, now) ?? 'admitted'],
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
