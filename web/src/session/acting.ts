import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ApiError, actingAccount, call } from '../api/client.ts';
import { t } from '../language/language.ts';
import { namedAccount, sessionQuery } from './session.ts';

/** Pages that every account has. */
export const accountPages = ['/', '/numbers', '/keys', '/send', '/activity', '/usage', '/account'] as const;
export type AccountPage = (typeof accountPages)[number];

/** Acts for another account, null: the person's own, if the server agrees. Until then the pages and their requests stay with the one before. */
async function change(queryClient: QueryClient, accountId: string | null): Promise<void> {
  const session = await call('GET /portal/api/session', { account: accountId });
  await queryClient.cancelQueries(sessionQuery);
  actingAccount.set(namedAccount(session, accountId));
  queryClient.setQueryData(sessionQuery.queryKey, session);
}

/** Follows the account that a page's address names. One that the person may not act for changes nothing. */
export async function followAccount(queryClient: QueryClient, accountId: string): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (accountId === actingAccount.get() || accountId === session?.account?.account_id) return;
  // The session is asked for with it.
  if (session == null) return actingAccount.set(accountId);
  try {
    await change(queryClient, accountId);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
  }
}

/** Changes the account that the pages of this tab belong to. */
export function useActing() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const choose = useMutation({
    mutationFn: ({ account }: Choice) => change(queryClient, account),
    onSuccess: (_, { href }) => navigate({ href }),
    onError: ({ message }) => void notifications.show({ color: 'red', title: t('The account was not changed'), message }),
  });
  return {
    /** Acts for this account from now on, and opens one of its pages. */
    actFor: (accountId: string, href = '/numbers') => choose.mutate({ account: accountId, href }),
    /** Back to one's own. */
    leave: () => choose.mutate({ account: null, href: '/operator/accounts' }),
  };
}

interface Choice {
  /** null: the person's own. */
  readonly account: string | null;
  readonly href: string;
}
