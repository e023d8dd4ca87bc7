import type { Store } from '../store/index.ts';
import { existingProvider } from '../store/index.ts';
import { type AccountUsage, addUp, inOrder, type Used, usageOfAccounts } from '../usage/index.ts';
import { table } from './output.ts';

/** What the accounts of a provider (null: all accounts) used in these days, as JSON and as a table. */
export async function usageOfMany(
  store: Store,
  providerId: string | null,
  { from, to, today }: { readonly from: string; readonly to: string; readonly today: string },
) {
  const providerIds = providerId === null ? null : [await existingProvider(store.db, providerId)];
  const list = inOrder(await usageOfAccounts(store, { providerIds, from, to, today }), 'name', false);
  const total = addUp(list);
  const rows = list.map((usage) => [
    usage.account.id,
    usage.account.name,
    usage.account.plan_name,
    usage.sends,
    usage.numberDays,
    `${usage.numbers} of ${usage.allowed.limit}`,
  ]);
  return {
    json: {
      provider_id: providerId,
      from,
      to,
      accounts: list.map(accountJson),
      ...usedJson(total),
    },
    text: table(
      ['ACCOUNT ID', 'NAME', 'PLAN', 'SENDS', 'NUMBER-DAYS', 'NUMBERS NOW'],
      rows.length === 0 ? [] : [...rows, ['total', '', '', total.sends, total.numberDays, '']],
      'No accounts.',
    ),
  };
}

/** What was used, as JSON. */
export const usedJson = ({ sends, byType, numberDays }: Used) => ({ total_sends: sends, sends: byType, number_days: numberDays });

function accountJson({ account, numbers, allowed, months, ...used }: AccountUsage) {
  return {
    account_id: account.id,
    name: account.name,
    reference: account.reference,
    provider_id: account.provider_id,
    plan: account.plan_name,
    ...usedJson(used),
    numbers,
    numbers_allowed: allowed.limit,
    messages_per_minute: account.messages_per_minute,
    trial_used: account.trial_used,
    trial_message_limit: account.trial_message_limit,
    months: [...months].map(([month, ofMonth]) => ({ month, ...usedJson(ofMonth) })),
  };
}
