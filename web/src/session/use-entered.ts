import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

/** After a sign-in: loads the session and opens the page that was asked for. Only addresses of this portal are followed. */
export function useEntered(to: string | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
    const own = to?.startsWith('/') === true && !to.startsWith('//') ? to : '/';
    await router.navigate({ href: own });
  };
}
