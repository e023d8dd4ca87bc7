import type { QueryClient } from '@tanstack/react-query';
import { actingAccount, call } from '../api/client.ts';
import { firstStepsQuery, operatorKey, operatorStepsQuery } from '../api/queries.ts';
import { loadedKey } from '../live/use-live.ts';
import { homeQuery } from '../pages/home/query.ts';
import { namedAccount, sessionQuery } from './session.ts';
import { started } from './started.ts';

/** Puts what was asked for ahead into the cache, where the first page finds it. */
export async function takeStart(queryClient: QueryClient): Promise<void> {
  const found = await started.current;
  if (found === null) return;
  if (found === 'signed-out') {
    queryClient.setQueryData(sessionQuery.queryKey, null);
    return;
  }
  const { answer, list } = found;
  const { session, home, events } = answer;
  actingAccount.set(namedAccount(session));
  queryClient.setQueryData(sessionQuery.queryKey, session);
  const accountId = session.account?.account_id ?? null;
  if (events !== null) queryClient.setQueryData(loadedKey(accountId), events);
  if (list !== null) {
    void queryClient.prefetchQuery({
      // Of a list that nothing narrows (parts/list/use-list.ts).
      queryKey: [...operatorKey, list.name, {}],
      queryFn: async () => (await list.answer) ?? call(`GET /portal/api/operator/${list.name}`),
    });
  }
  if (home === null) return;
  queryClient.setQueryData(homeQuery(accountId).queryKey, home.view);
  if (accountId !== null && home.first_steps !== null) queryClient.setQueryData(firstStepsQuery(accountId).queryKey, home.first_steps);
  if (home.operator_steps !== null) queryClient.setQueryData(operatorStepsQuery.queryKey, home.operator_steps);
}
