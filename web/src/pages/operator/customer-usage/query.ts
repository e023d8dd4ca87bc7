import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { addressOf } from '../../../api/address.ts';
import { call } from '../../../api/client.ts';
import { operatorKey } from '../../../api/queries.ts';
import { day, flag, month, oneOf, pageNumber, searchOf, text } from '../../../routes/search.ts';

const order = oneOf('name', 'plan', 'numbers', 'sends', 'number_days');

/** The part of the address that says what is shown. Two days count before a month; without any it is this month. */
export const customerUsageSearch = searchOf({
  month,
  from: day,
  to: day,
  search: text,
  provider: text,
  order,
  descending: flag,
  page: pageNumber,
});
export type CustomerUsageSearch = Readonly<ReturnType<typeof customerUsageSearch>>;

/** The days that are shown; months end with today at the latest. */
export function daysOf({ month: chosen, from, to }: CustomerUsageSearch, now: number): { readonly from: string; readonly to: string } {
  if (from !== undefined && to !== undefined) return { from, to };
  const today = new Date(now).toISOString().slice(0, 10);
  const whole = chosen ?? today.slice(0, 7);
  const [year = 0, number = 0] = whole.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { from: `${whole}-01`, to: last > today && whole === today.slice(0, 7) ? today : last };
}

/** What the accounts used, a page of it. */
export function customerUsageQuery(search: CustomerUsageSearch, now: number) {
  const { order: by = 'name', descending, page } = search;
  const query = { ...asked(search, now), order: by, descending, page };
  return queryOptions({
    queryKey: [...operatorKey, 'usage', query],
    queryFn: ({ signal }) => call('GET /portal/api/operator/usage', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Where the same is as a table, all pages of it. */
export function customerUsageCsv(search: CustomerUsageSearch, now: number): string {
  return addressOf('/portal/api/operator/usage.csv', {}, asked(search, now));
}

function asked(search: CustomerUsageSearch, now: number) {
  return {
    ...daysOf(search, now),
    ...(search.search === undefined ? {} : { search: search.search }),
    ...(search.provider === undefined ? {} : { provider_id: search.provider }),
  };
}
