import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CustomersUsage } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';
import { operatorKey } from '../../../api/queries.ts';

export type UsageOrder = 'name' | 'plan' | 'numbers' | 'sends' | 'number_days';

/** The part of the address that says what is shown. */
export interface CustomerUsageSearch {
  /** YYYY-MM; absent: this month. */
  readonly month?: string;
  /** Own days, both YYYY-MM-DD. */
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
  readonly provider?: string;
  readonly order?: UsageOrder;
  readonly descending?: boolean;
  readonly page?: number;
}

const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const orders: readonly unknown[] = ['name', 'plan', 'numbers', 'sends', 'number_days'] satisfies readonly UsageOrder[];

/** What of an address is understood. */
export function readUsageSearch(search: Record<string, unknown>): CustomerUsageSearch {
  const { month, from, to, order, descending, page } = search;
  const text = (name: 'search' | 'provider') => (typeof search[name] === 'string' && search[name] !== '' ? { [name]: search[name] } : {});
  return {
    ...(isDay(from) && isDay(to) ? { from, to } : typeof month === 'string' && monthPattern.test(month) ? { month } : {}),
    ...text('search'),
    ...text('provider'),
    ...(orders.includes(order) ? { order: order as UsageOrder } : {}),
    ...(descending === true ? { descending } : {}),
    ...(typeof page === 'number' && Number.isInteger(page) && page > 1 && page < 100_000 ? { page } : {}),
  };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && dayPattern.test(value) && !Number.isNaN(Date.parse(value));
}

/** The days that are shown; months end with today at the latest. */
export function daysOf({ month, from, to }: CustomerUsageSearch, now: number): { readonly from: string; readonly to: string } {
  if (from !== undefined && to !== undefined) return { from, to };
  const today = new Date(now).toISOString().slice(0, 10);
  const whole = month ?? today.slice(0, 7);
  const [year = 0, number = 0] = whole.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { from: `${whole}-01`, to: last > today && whole === today.slice(0, 7) ? today : last };
}

/** What the accounts used, a page of it. */
export function customerUsageQuery(search: CustomerUsageSearch, now: number) {
  const query = new URLSearchParams({ ...asked(search, now), order: search.order ?? 'name' });
  if (search.descending === true) query.set('descending', 'true');
  if (search.page !== undefined) query.set('page', String(search.page));
  return queryOptions({
    queryKey: [...operatorKey, 'usage', String(query)],
    queryFn: ({ signal }) => call<CustomersUsage>(`/portal/api/operator/usage?${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Where the same is as a table, all pages of it. */
export function customerUsageCsv(search: CustomerUsageSearch, now: number): string {
  return `/portal/api/operator/usage.csv?${new URLSearchParams(asked(search, now))}`;
}

function asked(search: CustomerUsageSearch, now: number): Record<string, string> {
  return {
    ...daysOf(search, now),
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.provider === undefined ? {} : { provider_id: search.provider }),
  };
}
