import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AlertDeliveryView, AlertTargetView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { accountKey, operatorKey } from '../../api/queries.ts';
import { useAccountId } from '../../session/session.ts';

/** Where a list of targets is kept: at the account, or at the providers and the whole gateway. */
export interface AlertHome {
  /** The path of its endpoints. */
  readonly base: string;
  readonly key: readonly unknown[];
  /** The account that its requests are about; absent: none. */
  readonly account?: string;
  readonly list: '/alerts' | '/operator/alerts';
  readonly detail: '/alerts/$targetId' | '/operator/alerts/$targetId';
}

export const operatorHome: AlertHome = {
  base: '/portal/api/operator/alerts',
  key: [...operatorKey, 'alerts'],
  list: '/operator/alerts',
  detail: '/operator/alerts/$targetId',
};

/** Of the account that is acted for. */
export function useAccountHome(): AlertHome {
  const account = useAccountId();
  return { base: '/portal/api/alerts', key: accountKey(account, 'alerts'), account, list: '/alerts', detail: '/alerts/$targetId' };
}

/** The address of a target's endpoints. */
export function targetAt({ base }: AlertHome, targetId: string): string {
  return `${base}/${encodeURIComponent(targetId)}`;
}

/** Everybody who is told. */
export function targetsQuery({ base, key, account }: AlertHome) {
  return queryOptions({
    queryKey: [...key, 'targets'],
    queryFn: async ({ signal }) =>
      (await call<{ readonly targets: readonly AlertTargetView[] }>(base, { ...(account === undefined ? {} : { account }), signal }))
        .targets,
  });
}

/** What was sent to a target, newest first, page by page. */
export function deliveriesQuery(home: AlertHome, targetId: string) {
  const { key, account } = home;
  return infiniteQueryOptions({
    queryKey: [...key, 'deliveries', targetId],
    queryFn: ({ signal, pageParam }) =>
      call<{ readonly deliveries: readonly AlertDeliveryView[]; readonly before: string | null }>(
        `${targetAt(home, targetId)}/deliveries${pageParam === null ? '' : `?before=${encodeURIComponent(pageParam)}`}`,
        { ...(account === undefined ? {} : { account }), signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  });
}
