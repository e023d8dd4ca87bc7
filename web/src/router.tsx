import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { FailurePage } from './parts/failure-page.tsx';
import { NotFoundPage } from './parts/not-found-page.tsx';
import { PageLoading } from './parts/page-loading.tsx';
import { account, home, link, passkey, root, signedIn, signIn } from './routes/frame.ts';
import { accountRoutes } from './routes/of-account.tsx';
import { operatorRoutes } from './routes/of-operator.ts';

const tree = root.addChildren([signIn, link, passkey, signedIn.addChildren([home, account, accountRoutes, operatorRoutes])]);

/** The portal's pages by address. Each is loaded when it is first opened. */
export function createPortalRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PageLoading,
    defaultErrorComponent: FailurePage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
