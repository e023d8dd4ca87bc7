import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PortalSession } from '../../../src/portal/wire/index.ts';
import { actingAccount, call } from '../api/client.ts';
import { sessionQuery } from './session.ts';

/** Changes the account that the pages of this tab belong to. */
export function useActing() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const change = useMutation({
    // Until the server has agreed, the pages and their requests stay with the account before.
    mutationFn: ({ account }: Choice) => call<PortalSession>('/portal/api/session', { account }),
    async onSuccess(session, { account, to }) {
      await queryClient.cancelQueries(sessionQuery);
      actingAccount.set(account);
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await navigate({ to });
    },
    onError: ({ message }) => void notifications.show({ color: 'red', title: 'The account stays as it was', message }),
  });
  return {
    /** Acts for this account from now on. */
    actFor: (accountId: string) => change.mutate({ account: accountId, to: '/numbers' }),
    /** Back to one's own. */
    leave: () => change.mutate({ account: null, to: '/operator/accounts' }),
  };
}

interface Choice {
  /** null: the person's own. */
  readonly account: string | null;
  readonly to: '/numbers' | '/operator/accounts';
}
