import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';
import type { createPortalRouter } from '../router.tsx';

/** Leads to the sign-in as soon as any answer says that the session is over, and back to the same page after it. */
export function followSessionEnd(queryClient: QueryClient, router: ReturnType<typeof createPortalRouter>): void {
  const look = (error: unknown) => {
    if (!(error instanceof ApiError) || (error.code !== 'invalid_session' && error.code !== 'missing_session')) return;
    const { pathname, href } = router.state.location;
    if (pathname === '/sign-in' || pathname.startsWith('/link/')) return;
    // The pages on screen need their answers until the sign-in is there.
    void router.navigate({ to: '/sign-in', search: { to: href } }).then(() => queryClient.clear());
  };
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
  queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
}
