import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../language/language.ts';
import { changeAccount } from './change-account.ts';

/** Pages that every account has. */
export const accountPages = ['/', '/numbers', '/keys', '/send', '/activity', '/usage', '/account'] as const;
export type AccountPage = (typeof accountPages)[number];

/** Changes the account that the pages of this tab belong to. */
export function useActing() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const choose = useMutation({
    mutationFn: ({ account }: Choice) => changeAccount(queryClient, account),
    onSuccess: (changed, { href }) => (changed ? navigate({ href }) : undefined),
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
