import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect, type SearchMiddleware } from '@tanstack/react-router';
import { actingAccount } from '../api/client.ts';
import { FailureOutside } from '../parts/failure-page.tsx';
import { NotFoundOutside } from '../parts/not-found-page.tsx';
import { followAccount } from '../session/change-account.ts';
import { followLanguage } from '../session/own-language.ts';
import { sessionQuery } from '../session/session.ts';
import { Shell } from '../shell/shell.tsx';
import { page } from './page.ts';
import { accountId, searchOf, text } from './search.ts';

interface RouterContext {
  readonly queryClient: QueryClient;
}

export const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFoundOutside });

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({ to: text }),
  component: page(() => import('../pages/sign-in/sign-in-page.tsx')),
});

export const link = createRoute({
  getParentRoute: () => root,
  path: '/link/$token',
  component: page(() => import('../pages/link/link-page.tsx')),
});

export const passkey = createRoute({
  getParentRoute: () => root,
  path: '/passkey',
  component: page(() => import('../pages/passkey/passkey-page.tsx')),
});

const accountIn = searchOf({ account: text });

/** Every link names the account that this tab acts for. */
const withAccount: SearchMiddleware<object> = ({ search, next }) => {
  const { account: before, ...rest } = next(search) as { readonly account?: string };
  const acting = actingAccount.get();
  return acting === null ? rest : { ...rest, account: acting };
};

/** Everything behind the sign-in. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  // The account that the tab acts for, so that a copied address or a new tab leads to the same.
  search: { middlewares: [withAccount] },
  async beforeLoad({ context, location, preload, abortController }) {
    const { account: written } = accountIn(location.search);
    const named = accountId(written);
    if (!preload && named !== undefined) await followAccount(context.queryClient, named, abortController.signal);
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { to: location.href } });
    if (!preload && (written ?? null) !== actingAccount.get()) {
      // The address names another account than the one that is acted for, or none.
      const { pathname, search: asked, hash } = location;
      throw redirect({ to: pathname, search: asked as never, hash, replace: true });
    }
    await followLanguage(session, location.href);
    return { session };
  },
  component: Shell,
  errorComponent: FailureOutside,
});

export const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: page(() => import('../pages/home/home-page.tsx')),
});

export const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  // The part that is open, and which changes its audit log lists: whose, and of what.
  validateSearch: searchOf({ part: text, actor: text, name: text }),
  component: page(() => import('../pages/account/account-page.tsx')),
});
