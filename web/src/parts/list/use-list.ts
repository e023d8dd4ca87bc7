import { keepPreviousData, type QueryKey, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListView } from '../../../../src/portal/wire/listing.ts';
import { call } from '../../api/client.ts';
import type { ListPath, Lists } from '../../api/endpoints.ts';
import type { Choice } from '../use-row-choice.ts';

/** Filters, order and page of a list as they stand in the page's address, in the server's own words. */
export type ListSearch = Readonly<Record<string, string | undefined>>;

/** A page of a list. `account`: the one it is about, where the path does not say it. */
export function listQuery<Path extends ListPath>(queryKey: QueryKey, path: Path, search: ListSearch, account?: string) {
  return queryOptions({
    queryKey: [...queryKey, search],
    // Which rows a list has is not known where any list can be meant.
    queryFn: ({ signal }) => call<`GET ${ListPath}`>(`GET ${path}`, { query: search, signal, account }) as Promise<ListView<Lists[Path]>>,
    placeholderData: keepPreviousData,
  });
}

/** The filters and the order alone. */
export function withoutPage({ after, before, ...rest }: ListSearch): ListSearch {
  return rest;
}

/** A list of the server as a page shows it. */
export interface List<Row> {
  readonly path: ListPath;
  readonly account: string | undefined;
  /** As the page's address says it, with what it is without saying so. */
  readonly search: ListSearch;
  readonly query: UseQueryResult<ListView<Row>>;
  /** Whether something narrows it. */
  readonly narrowed: boolean;
  readonly order: { readonly sort: string; onSort(sort: string): void };
  readonly choice: Choice & { clear(): void };
  /** For the field that searches it. */
  readonly find: { readonly value: string; onChange(text: string): void };
  /** Another filter, from the first page on. While somebody types, no step is kept for the back button. */
  narrow(changed: ListSearch, options?: { readonly typing?: boolean }): void;
  page(place: { readonly after?: string; readonly before?: string }): void;
}

interface ListOptions<Path extends ListPath> {
  readonly queryKey: QueryKey;
  readonly path: Path;
  /** The parameters of the page's address. */
  readonly search: ListSearch;
  /** The filters that hold where the address names none. */
  readonly otherwise?: ListSearch;
  /** The order where the address names none. */
  readonly sort?: string;
  readonly account?: string;
  readonly refetchInterval?: number | false;
}

/** A list with what changes it: each change goes into the page's address, so that the back button and a link lead to it. */
export function useList<Path extends ListPath>(options: ListOptions<Path>): List<Lists[Path]> {
  const { queryKey, path, otherwise = {}, sort: usual = '-created', account, refetchInterval = false } = options;
  // The account that the tab acts for stands in every address and narrows no list.
  const { account: acting, ...written } = options.search;
  const navigate = useNavigate();
  const search = { ...otherwise, ...written };
  const go = (next: ListSearch, replace: boolean) => {
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== ''));
    // What each page's route lets in is checked there.
    void navigate({ to: '.', search: kept as never, replace, resetScroll: false });
  };
  const narrow: List<never>['narrow'] = (changed, { typing = false } = {}) => go({ ...withoutPage(written), ...changed }, typing);
  const { sort: _, ...narrowing } = withoutPage(written);
  const query = useQuery({ ...listQuery(queryKey, path, search, account), refetchInterval });
  return {
    path,
    account,
    search,
    query,
    narrowed: Object.keys(narrowing).length > 0,
    order: { sort: search.sort ?? usual, onSort: (next) => narrow({ sort: next }) },
    choice: { ...useChosen(search), late: query.isPlaceholderData },
    find: { value: search.search ?? '', onChange: (text) => narrow({ search: text }, { typing: true }) },
    narrow,
    page: (place) => go({ ...withoutPage(written), ...place }, false),
  };
}

const nothing: ReadonlySet<string> = new Set();

/** The chosen records of a list. With another filter nothing is chosen any more, also on the way back; with another page or order it stays. */
function useChosen(search: ListSearch): List<never>['choice'] {
  const { sort, ...filters } = withoutPage(search);
  const of = JSON.stringify(filters);
  const [kept, setKept] = useState<{ readonly of: string; readonly chosen: ReadonlySet<string> }>({ of, chosen: nothing });
  if (kept.of !== of) setKept({ of, chosen: nothing });
  // All that fit may arrive under another filter than they were asked for.
  const onChoose = (chosen: ReadonlySet<string>) => setKept((now) => (now.of === of ? { of, chosen } : now));
  return { chosen: kept.of === of ? kept.chosen : nothing, onChoose, clear: () => onChoose(nothing) };
}
