import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { AlertsPath } from '../../api/endpoints.ts';
import { accountKey, operatorKey } from '../../api/queries.ts';
import { useAccountId } from '../../session/session.ts';

/** Where a list of targets is kept: at the account, or at the providers and the whole gateway. */
export interface AlertHome {
  /** The path of its endpoints. */
  readonly base: AlertsPath;
  readonly key: readonly unknown[];
  /** The account that its requests are about; absent: none. */
  readonly account?: string;
  readonly list: '/alerts' | '/operator/alerts';
  readonly detail: '/alerts/$targetId' | '/operator/alerts/$targetId';
  readonly numberPage: '/numbers/$instanceId' | '/operator/numbers/$instanceId';
}

export const operatorHome: AlertHome = {
  base: '/portal/api/operator/alerts',
  key: [...operatorKey, 'alerts'],
  list: '/operator/alerts',
  detail: '/operator/alerts/$targetId',
  numberPage: '/operator/numbers/$instanceId',
};

/** Of the account that is acted for. */
export function useAccountHome(): AlertHome {
  const account = useAccountId();
  return {
    base: '/portal/api/alerts',
    key: accountKey(account, 'alerts'),
    account,
    list: '/alerts',
    detail: '/alerts/$targetId',
    numberPage: '/numbers/$instanceId',
  };
}

/** Everybody who is told. */
export function targetsQuery({ base, key, account }: AlertHome) {
  return queryOptions({
    queryKey: [...key, 'targets'],
    queryFn: async ({ signal }) => (await call(`GET ${base}`, { account, signal })).targets,
  });
}

/** What is wrong now, or was, newest first, page by page. */
export function problemsQuery({ base, key, account }: AlertHome, state: 'open' | 'ended') {
  return infiniteQueryOptions({
    queryKey: [...key, 'problems', state],
    queryFn: ({ signal, pageParam }) => call(`GET ${base}/problems`, { query: { state, before: pageParam }, account, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  });
}

/** What was sent to a target, newest first, page by page. */
export function deliveriesQuery({ base, key, account }: AlertHome, targetId: string) {
  return infiniteQueryOptions({
    queryKey: [...key, 'deliveries', targetId],
    queryFn: ({ signal, pageParam }) =>
      call(`GET ${base}/:id/deliveries`, { params: { id: targetId }, query: { before: pageParam }, account, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  });
}
