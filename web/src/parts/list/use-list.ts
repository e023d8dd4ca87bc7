import { keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import type { Choice } from '../use-row-choice.ts';

/** Filters, order and page of a list as they stand in the page's address, in the server's own words. */
export type ListSearch = Readonly<Record<string, string | undefined>>;

/** The search parameters of a list: those that it knows, as texts. A number typed into the address is a text here too. */
export function listSearch<Name extends string>(search: Record<string, unknown>, filters: readonly Name[]) {
  const found: { [Key in Name | 'sort' | 'after' | 'before']?: string } = {};
  for (const name of [...filters, 'sort', 'after', 'before'] as const) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found[name] = String(value);
  }
  return found;
}

/** A page of a list. `account`: the one it is about, where the path does not say it. */
export function listQuery<Row>(queryKey: QueryKey, path: string, search: ListSearch, account?: string) {
  return queryOptions({
    queryKey: [...queryKey, search],
    queryFn: ({ signal }) => call<ListView<Row>>(`${path}${queryText(search)}`, { signal, ...(account === undefined ? {} : { account }) }),
    placeholderData: keepPreviousData,
  });
}

/** What stands behind the path, beginning with the question mark. */
export function queryText(search: ListSearch): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== '') query.set(name, value);
  return query.size === 0 ? '' : `?${query}`;
}

/** The filters and the order alone. */
export function withoutPage({ after, before, ...rest }: ListSearch): ListSearch {
  return rest;
}

/** Changes the list by changing the page's address, so that the back button and a link lead to it. */
export function useListAddress(search: ListSearch) {
  const navigate = useNavigate();
  const go = (next: ListSearch, replace: boolean) => {
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''));
    // What each page's route lets in is checked there.
    void navigate({ to: '.', search: kept as never, replace, resetScroll: false });
  };
  return {
    /** Another filter or order, from its first page on. While somebody types, no step is kept for the back button. */
    narrow: (changed: ListSearch, { typing = false } = {}) => go({ ...withoutPage(search), ...changed }, typing),
    page: (place: { readonly after?: string; readonly before?: string }) => go({ ...withoutPage(search), ...place }, false),
  };
}

const nothing: ReadonlySet<string> = new Set();

/** The chosen records of a list. With another filter nothing is chosen any more; with another page or order it stays. */
export function useChosen(search: ListSearch): Choice & { clear(): void } {
  const { sort, ...filters } = withoutPage(search);
  const of = JSON.stringify(filters);
  const [kept, setKept] = useState<{ readonly of: string; readonly chosen: ReadonlySet<string> }>({ of, chosen: nothing });
  return {
    chosen: kept.of === of ? kept.chosen : nothing,
    onChoose: (chosen) => setKept({ of, chosen }),
    clear: () => setKept({ of, chosen: nothing }),
  };
}
