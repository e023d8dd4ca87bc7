import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { actingAccount, call } from '../api/client.ts';
import { t } from '../language/language.ts';
import { sessionQuery } from './session.ts';

/** Pages that every account has. */
export const accountPages = ['/', '/numbers', '/keys', '/send', '/activity', '/usage', '/account'] as const;
export type AccountPage = (typeof accountPages)[number];

/** Changes the account that the pages of this tab belong to. */
export function useActing() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const change = useMutation({
    // Until the server has agreed, the pages and their requests stay with the account before.
    mutationFn: ({ account }: Choice) => call('GET /portal/api/session', { account }),
    async onSuccess(session, { account, href }) {
      await queryClient.cancelQueries(sessionQuery);
      actingAccount.set(account);
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await navigate({ href });
    },
    onError: ({ message }) => void notifications.show({ color: 'red', title: t('The account was not changed'), message }),
  });
  return {
    /** Acts for this account from now on, and opens one of its pages. */
    actFor: (accountId: string, href = '/numbers') => change.mutate({ account: accountId, href }),
    /** Back to one's own. */
    leave: () => change.mutate({ account: null, href: '/operator/accounts' }),
  };
}

interface Choice {
  /** null: the person's own. */
  readonly account: string | null;
  readonly href: string;
}
