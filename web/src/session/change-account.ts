import type { QueryClient } from '@tanstack/react-query';
import { ApiError, actingAccount, call } from '../api/client.ts';
import { namedAccount, sessionQuery } from './session.ts';

/** How many changes were asked for. */
let asked = 0;

/**
 * Acts for another account, null: the person's own, if the server agrees. Until then the pages and their requests stay with the one before.
 * False: nothing was changed, because another one was asked for meanwhile, or it was given up.
 */
export async function changeAccount(queryClient: QueryClient, accountId: string | null, givenUp?: AbortSignal): Promise<boolean> {
  const mine = ++asked;
  const session = await call('GET /portal/api/session', { account: accountId });
  await queryClient.cancelQueries(sessionQuery);
  // The last choice counts, whichever is answered last.
  if (mine !== asked || givenUp?.aborted === true) return false;
  actingAccount.set(namedAccount(session));
  queryClient.setQueryData(sessionQuery.queryKey, session);
  return true;
}

/** Follows the account that a page's address names, unless the page is given up. One that the person may not act for changes nothing. */
export async function followAccount(queryClient: QueryClient, accountId: string, givenUp: AbortSignal): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (accountId === actingAccount.get() || accountId === session?.account?.account_id) return;
  // The session is asked for with it.
  if (session == null) return actingAccount.set(accountId);
  try {
    await changeAccount(queryClient, accountId, givenUp);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
  }
}
