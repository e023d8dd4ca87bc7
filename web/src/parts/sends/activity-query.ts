import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { hourAfter } from '../shown-moment.ts';

/** A filter of sends; an absent field matches all. */
export interface ActivityFilter {
  readonly instance_id?: string;
  readonly type?: string;
  readonly outcome?: string;
  readonly recipient?: number;
  readonly key_id?: string;
  /** When the hour begins that they were answered in. */
  readonly hour?: string;
  /** Days of UTC (YYYY-MM-DD): from this one on, and before that one. */
  readonly from?: string;
  readonly to?: string;
}

/** Everything that was loaded so far, newest first. */
export interface Loaded {
  readonly items: readonly RequestView[];
  /** The cursor of the next older page; null at the end. */
  readonly cursor: string | null;
  /** How far back was looked. */
  readonly searchedBackTo: string | null;
}

/** The newest sends on top of those that were loaded before: asking again brings only what is new. */
export function activityQuery(queryClient: QueryClient, accountId: string, filter: ActivityFilter) {
  const queryKey = accountKey(accountId, 'activity', filter);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Loaded> => {
      const newest = await activityPage(accountId, filter, { cursor: null, signal });
      return withNewest(queryClient.getQueryData<Loaded>(queryKey), newest);
    },
  });
}

/** The newest few sends that fit. */
export function latestSendsQuery(accountId: string, filter: ActivityFilter, limit: number) {
  return queryOptions({
    queryKey: accountKey(accountId, 'activity', filter, { limit }),
    queryFn: ({ signal }) => activityPage(accountId, filter, { cursor: null, limit, signal }),
  });
}

interface PageWanted {
  /** null: the newest page. */
  readonly cursor: string | null;
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export async function activityPage(accountId: string, filter: ActivityFilter, { cursor, limit, signal }: PageWanted): Promise<Loaded> {
  const { hour, ...others } = filter;
  const within = hour === undefined ? {} : { from: hour, to: hourAfter(hour).toISOString() };
  const page = await call('GET /portal/api/activity', { query: { ...others, ...within, cursor, limit }, account: accountId, signal });
  return { items: page.items, cursor: page.cursor, searchedBackTo: page.searched_back_to ?? null };
}

/** What was loaded before, with the page that follows it. */
export function withOlder(loaded: Loaded, older: Loaded): Loaded {
  return { ...older, items: merged(loaded.items, older.items), searchedBackTo: older.searchedBackTo ?? loaded.searchedBackTo };
}

function withNewest(loaded: Loaded | undefined, newest: Loaded): Loaded {
  // Nothing new: older pages that were loaded stay.
  if (loaded !== undefined && newest.items.length === 0 && newest.cursor !== null) return loaded;
  const known = new Set(loaded?.items.map(({ request_id }) => request_id));
  // No overlap: there may be sends in between that were not loaded, so the list starts again.
  if (loaded === undefined || !newest.items.some(({ request_id }) => known.has(request_id))) return newest;
  return { ...loaded, items: merged(newest.items, loaded.items) };
}

function merged(first: readonly RequestView[], second: readonly RequestView[]): readonly RequestView[] {
  const there = new Set(first.map(({ request_id }) => request_id));
  return [...first, ...second.filter(({ request_id }) => !there.has(request_id))];
}
