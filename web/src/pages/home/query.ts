import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { accountKey, operatorKey } from '../../api/queries.ts';

const everyMs = 15_000;
/** While the gateway is still being looked at. */
const soonMs = 2_000;

/** What to know first; `accountId` null: no account is acted for. */
export function homeQuery(accountId: string | null) {
  return queryOptions({
    queryKey: accountId === null ? [...operatorKey, 'home'] : accountKey(accountId, 'home'),
    queryFn: ({ signal }) => call('GET /portal/api/home', { account: accountId, signal }),
    refetchInterval: ({ state }) => (state.data?.administered?.health?.checks === null ? soonMs : everyMs),
  });
}
