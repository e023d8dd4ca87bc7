import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { actingAccount } from '../api/client.ts';

/** Changes the account that the pages of this tab speak for. Nothing of the one before stays in the cache. */
export function useActing() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const change = async (accountId: string | null, to: '/numbers' | '/operator/accounts') => {
    actingAccount.set(accountId);
    // The page on screen needs the session until the next one is there.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    await queryClient.invalidateQueries({ queryKey: ['session'] });
    await router.invalidate();
    await navigate({ to });
  };
  return {
    /** Acts for this account from now on. */
    actFor: (accountId: string) => void change(accountId, '/numbers'),
    /** Back to one's own. */
    leave: () => void change(null, '/operator/accounts'),
  };
}
