import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

/** What follows a sign-in: learn who it is and go where they wanted to. Only addresses of this portal are followed. */
export function useEntered(to: string | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async () => {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
    const own = to?.startsWith('/') === true && !to.startsWith('//') ? to : '/';
    await router.navigate({ href: own });
  };
}
