import { type AccountSummary, type Allowance, allowance, selectAccountIds, selectAccountsOf } from '../accounts/index.ts';
import type { Store } from '../store/index.ts';
import { inTurns } from './counted.ts';
import { usageDays } from './days.ts';
import type { Days } from './months.ts';
import { addUp, readUsage, type Used } from './read.ts';

/** What an account used in the days that were asked for, against what it may use. */
export interface AccountUsage extends Used {
  readonly account: AccountSummary;
  readonly numbers: number;
  readonly allowed: Allowance;
  /** By month (YYYY-MM), oldest first; months without use are absent. */
  readonly months: ReadonlyMap<string, Used>;
}

const accountsAtOnce = 100;

/**
 * What every account used in these days, oldest account first; `providerIds` null: the accounts of all providers. Throws OperatorError for a
 * period that `usageDays` refuses.
 */
export async function usageOfAccounts(
  store: Store,
  { providerIds, ...days }: Days & { readonly providerIds: readonly string[] | null; readonly today: string },
): Promise<AccountUsage[]> {
  usageDays(days.from, days.to);
  const ids = await selectAccountIds(store.db, providerIds);
  const used: AccountUsage[] = [];
  for await (const some of inTurns(ids, accountsAtOnce)) used.push(...(await usageOfSome(store, some, days)));
  return used;
}

async function usageOfSome({ db }: Store, ids: readonly string[], days: Days & { readonly today: string }): Promise<AccountUsage[]> {
  const used = await readUsage(db, ids, days);
  return (await selectAccountsOf(db, ids)).map((account) => {
    const months = used.get(account.id) ?? new Map<string, Used>();
    return { account, numbers: account.numbers, allowed: allowance(account), months, ...addUp([...months.values()]) };
  });
}

/** What a list of usage can be in the order of. */
export const usageOrders = ['name', 'sends', 'number_days', 'numbers', 'plan'] as const;
export type UsageOrder = (typeof usageOrders)[number];

/** The list in another order; those that are equal stand by name. */
export function inOrder(list: readonly AccountUsage[], order: UsageOrder, descending: boolean): AccountUsage[] {
  const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
  const compare = (one: AccountUsage, other: AccountUsage): number => {
    switch (order) {
      case 'name':
        return byName(one.account.name, other.account.name);
      case 'sends':
        return one.sends - other.sends;
      case 'number_days':
        return one.numberDays - other.numberDays;
      case 'numbers':
        return one.numbers - other.numbers;
      case 'plan':
        return byName(one.account.plan_name ?? '', other.account.plan_name ?? '');
    }
  };
  return list.toSorted((one, other) => compare(one, other) * (descending ? -1 : 1) || byName(one.account.name, other.account.name));
}
