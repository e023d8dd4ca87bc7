import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../store/index.ts';
import { type Allowance, allowance } from '../allowance.ts';
import { usageDays } from '../usage.ts';
import { countNumbersOf, selectUsingAccounts, sumNumberDays, sumSends, type UsingAccount } from './queries.ts';

/** What was used, of whatever and whenever. */
export interface Used {
  readonly sends: number;
  /** Accepted sends by message type; types without any are absent. */
  readonly byType: Readonly<Record<string, number>>;
  readonly numberDays: number;
}

/** What an account used in the days that were asked for, against what it may use. */
export interface AccountUsage extends Used {
  readonly account: UsingAccount;
  readonly numbers: number;
  readonly allowed: Allowance;
  /** By month (YYYY-MM), oldest first; months without use are absent. */
  readonly months: ReadonlyMap<string, Used>;
}

interface Sum {
  sends: number;
  byType: Record<string, number>;
  numberDays: number;
}

/** An embedded store reads on the thread that serves requests: so many accounts at a time, and requests in between. */
const accountsAtOnce = 100;

/**
 * What every account used from `from` to `to` (UTC days, both included), oldest account first; `providerIds` null: the accounts of all
 * providers. Throws OperatorError for a period that `usageDays` refuses.
 */
export async function usageOfAccounts(
  store: Store,
  { providerIds, from, to }: { readonly providerIds: readonly string[] | null; readonly from: string; readonly to: string },
): Promise<AccountUsage[]> {
  usageDays(from, to);
  const accounts = await selectUsingAccounts(store.db, providerIds);
  const used: AccountUsage[] = [];
  for (let start = 0; start < accounts.length; start += accountsAtOnce) {
    used.push(...(await usageOfSome(store, accounts.slice(start, start + accountsAtOnce), { from, to })));
    await setImmediate();
  }
  return used;
}

async function usageOfSome(store: Store, accounts: readonly UsingAccount[], days: { from: string; to: string }): Promise<AccountUsage[]> {
  const ids = accounts.map(({ id }) => id);
  const sends = Map.groupBy(await sumSends(store.db, ids, days), ({ account_id }) => account_id);
  const numberDays = Map.groupBy(await sumNumberDays(store.db, ids, days), ({ account_id }) => account_id);
  const numbers = await countNumbersOf(store.db, ids);
  return accounts.map((account) => {
    const months = new Map<string, Sum>();
    const sumOf = (month: string): Sum => {
      const known = months.get(month) ?? { sends: 0, byType: {}, numberDays: 0 };
      months.set(month, known);
      return known;
    };
    for (const { month, type, n } of sends.get(account.id) ?? []) {
      const sum = sumOf(month);
      sum.sends += n;
      sum.byType[type] = n;
    }
    for (const { month, n } of numberDays.get(account.id) ?? []) sumOf(month).numberDays = n;
    return {
      account,
      numbers: numbers.get(account.id) ?? 0,
      allowed: allowance({
        operator: account.operator,
        freeSlots: account.free_slots,
        ownLimit: account.instance_limit,
        planLimit: account.plan_instance_limit,
      }),
      months: new Map([...months].toSorted(([one], [other]) => (one < other ? -1 : 1))),
      ...addUp([...months.values()]),
    };
  });
}

/** The sum of several. */
export function addUp(parts: readonly Used[]): Used {
  const sum: Sum = { sends: 0, byType: {}, numberDays: 0 };
  for (const part of parts) {
    sum.sends += part.sends;
    sum.numberDays += part.numberDays;
    for (const [type, n] of Object.entries(part.byType)) sum.byType[type] = (sum.byType[type] ?? 0) + n;
  }
  return sum;
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
