import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { PortalSession } from '../../src/portal/wire/index.ts';
import { readUsageSearch } from './pages/operator/customer-usage/query.ts';
import { FailureOutside, FailurePage } from './parts/failure-page.tsx';
import { listSearch } from './parts/list/use-list.ts';
import { NotFoundOutside, NotFoundPage } from './parts/not-found-page.tsx';
import { PageLoading } from './parts/page-loading.tsx';
import { followLanguage } from './session/own-language.ts';
import { rolesOf, sessionQuery, useSession } from './session/session.ts';
import { Shell } from './shell/shell.tsx';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFoundOutside });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { to?: string } => (typeof search.to === 'string' ? { to: search.to } : {}),
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page.tsx')),
});

const link = createRoute({
  getParentRoute: () => root,
  path: '/link/$token',
  component: lazyRouteComponent(() => import('./pages/link/link-page.tsx')),
});

const passkey = createRoute({
  getParentRoute: () => root,
  path: '/passkey',
  component: lazyRouteComponent(() => import('./pages/passkey/passkey-page.tsx')),
});

/** Everything behind the sign-in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location }) {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { to: location.href } });
    await followLanguage(session, location.href);
    return { session };
  },
  component: Shell,
  errorComponent: FailureOutside,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home-page.tsx')),
});

/** Pages about one account; an operator who acts for none chooses one first. */
const ofAccount = createRoute({
  getParentRoute: () => signedIn,
  id: 'of-account',
  beforeLoad({ context: { session } }) {
    if (session.account === null) throw redirect({ to: '/operator/accounts' });
  },
  component: OfAccount,
});

const ofOperator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  beforeLoad({ context: { session } }) {
    const { operator, providerAdmin } = rolesOf(session);
    if (!operator && !providerAdmin) throw redirect({ to: '/numbers' });
  },
  component: Outlet,
});

const numberFilters = ['search', 'standing', 'status', 'network', 'restriction'] as const;

const numbers = createRoute({
  getParentRoute: () => ofAccount,
  path: '/numbers',
  // Which dialog is open: adding a number, or linking this one. And what narrows a long list.
  validateSearch: (
    search: Record<string, unknown>,
  ): ReturnType<typeof listSearch<(typeof numberFilters)[number]>> & { add?: true; pair?: string } => ({
    ...listSearch(search, numberFilters),
    ...(search.add === true ? { add: true } : {}),
    ...(typeof search.pair === 'string' ? { pair: search.pair } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/numbers/numbers-page.tsx')),
});
const number = createRoute({
  getParentRoute: () => ofAccount,
  path: '/numbers/$instanceId',
  component: lazyRouteComponent(() => import('./pages/numbers/number-page.tsx')),
});
const keys = createRoute({
  getParentRoute: () => ofAccount,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): ReturnType<typeof listSearch<'search' | 'state'>> & { add?: true } => ({
    ...listSearch(search, ['search', 'state']),
    ...(search.add === true ? { add: true as const } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/keys/keys-page.tsx')),
});
const send = createRoute({
  getParentRoute: () => ofAccount,
  path: '/send',
  // The number to send from, and the kind of message.
  validateSearch: (search: Record<string, unknown>): { instance_id?: string; kind?: string } => ({
    ...(typeof search.instance_id === 'string' ? { instance_id: search.instance_id } : {}),
    ...(typeof search.kind === 'string' ? { kind: search.kind } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/send/send-page.tsx')),
});
const activity = createRoute({
  getParentRoute: () => ofAccount,
  path: '/activity',
  // Which sends are listed. The recipient is a number, so that the address is ?recipient=15550123.
  validateSearch: (search: Record<string, unknown>): { instance_id?: string; type?: string; outcome?: string; recipient?: number } => ({
    ...(typeof search.instance_id === 'string' ? { instance_id: search.instance_id } : {}),
    ...(typeof search.type === 'string' ? { type: search.type } : {}),
    ...(typeof search.outcome === 'string' ? { outcome: search.outcome } : {}),
    ...(/^[1-9]\d{5,14}$/.test(String(search.recipient)) ? { recipient: Number(search.recipient) } : {}),
  }),
  component: lazyRouteComponent(() => import('./pages/activity/activity-page.tsx')),
});
const activityRequest = createRoute({
  getParentRoute: () => ofAccount,
  path: '/activity/$requestId',
  component: lazyRouteComponent(() => import('./pages/activity/request-page.tsx')),
});
const usage = createRoute({
  getParentRoute: () => ofAccount,
  path: '/usage',
  // Which days: a usual period, or from a day to a day.
  validateSearch: (search: Record<string, unknown>): { period?: 'month' | 'last-month'; from?: string; to?: string } => {
    const { period, from, to } = search;
    if (isDay(from) && isDay(to)) return { from, to };
    return period === 'month' || period === 'last-month' ? { period } : {};
  },
  component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx')),
});
const alerts = createRoute({
  getParentRoute: () => ofAccount,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx')),
});
const alertTarget = createRoute({
  getParentRoute: () => ofAccount,
  path: '/alerts/$targetId',
  component: lazyRouteComponent(() => import('./pages/alerts/alert-target-page.tsx')),
});
const sandboxPhone = createRoute({
  getParentRoute: () => ofAccount,
  path: '/sandbox-phone',
  // The contact whose phone is open. A number, so that the address is ?with=15550123.
  validateSearch: (search: Record<string, unknown>): { with?: number } =>
    /^[1-9]\d{5,14}$/.test(String(search.with)) ? { with: Number(search.with) } : {},
  component: lazyRouteComponent(() => import('./pages/sandbox-phone/sandbox-phone-page.tsx')),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  validateSearch: (search: Record<string, unknown>): { part?: string } => (typeof search.part === 'string' ? { part: search.part } : {}),
  component: lazyRouteComponent(() => import('./pages/account/account-page.tsx')),
});

const accounts = createRoute({
  getParentRoute: () => ofOperator,
  path: '/accounts',
  validateSearch: (search: Record<string, unknown>) =>
    listSearch(search, ['search', 'provider_id', 'state', 'plan', 'ends_within', 'needs_person', 'sends']),
  component: lazyRouteComponent(() => import('./pages/operator/accounts-page.tsx')),
});
const accountDetail = createRoute({
  getParentRoute: () => ofOperator,
  path: '/accounts/$accountId',
  component: lazyRouteComponent(() => import('./pages/operator/account-detail-page.tsx')),
});
const providers = createRoute({
  getParentRoute: () => ofOperator,
  path: '/providers',
  beforeLoad: operatorsOnly,
  validateSearch: (search: Record<string, unknown>) => listSearch(search, ['search', 'state']),
  component: lazyRouteComponent(() => import('./pages/operator/providers-page.tsx')),
});
const provider = createRoute({
  getParentRoute: () => ofOperator,
  path: '/providers/$providerId',
  component: lazyRouteComponent(() => import('./pages/operator/provider/provider-page.tsx')),
});
const plans = createRoute({
  getParentRoute: () => ofOperator,
  path: '/plans',
  beforeLoad: operatorsOnly,
  component: lazyRouteComponent(() => import('./pages/operator/plans-page.tsx')),
});
const users = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users',
  validateSearch: (search: Record<string, unknown>) => listSearch(search, ['search', 'role']),
  component: lazyRouteComponent(() => import('./pages/operator/users-page.tsx')),
});
const invitations = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users/invitations',
  validateSearch: (search: Record<string, unknown>) => listSearch(search, ['search', 'role']),
  component: lazyRouteComponent(() => import('./pages/operator/invitations-page.tsx')),
});
const allNumbers = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers',
  validateSearch: (search: Record<string, unknown>) =>
    listSearch(search, ['search', 'standing', 'status', 'network', 'restriction', 'account_id', 'provider_id']),
  component: lazyRouteComponent(() => import('./pages/operator/all-numbers-page.tsx')),
});
const anyNumber = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers/$instanceId',
  component: lazyRouteComponent(() => import('./pages/operator/any-number-page.tsx')),
});
const allAlerts = createRoute({
  getParentRoute: () => ofOperator,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./pages/operator/all-alerts-page.tsx')),
});
const anyAlertTarget = createRoute({
  getParentRoute: () => ofOperator,
  path: '/alerts/$targetId',
  component: lazyRouteComponent(() => import('./pages/operator/any-alert-target-page.tsx')),
});
const health = createRoute({
  getParentRoute: () => ofOperator,
  path: '/health',
  beforeLoad: operatorsOnly,
  component: lazyRouteComponent(() => import('./pages/operator/health-page.tsx')),
});
const customerUsage = createRoute({
  getParentRoute: () => ofOperator,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./pages/operator/customer-usage/customer-usage-page.tsx')),
});
const audit = createRoute({
  getParentRoute: () => ofOperator,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>) => listSearch(search, ['account_id', 'action', 'actor', 'from', 'to']),
  component: lazyRouteComponent(() => import('./pages/operator/audit-page.tsx')),
});

const tree = root.addChildren([
  signIn,
  link,
  passkey,
  signedIn.addChildren([
    home,
    account,
    ofAccount.addChildren([numbers, number, keys, send, activity, activityRequest, usage, alerts, alertTarget, sandboxPhone]),
    ofOperator.addChildren([
      accounts,
      accountDetail,
      providers,
      provider,
      plans,
      users,
      invitations,
      allNumbers,
      anyNumber,
      customerUsage,
      allAlerts,
      anyAlertTarget,
      health,
      audit,
    ]),
  ]),
]);

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

/** Pages of another account are other pages: nothing typed or opened on those of the one before is taken along. */
function OfAccount() {
  const { account } = useSession();
  if (account === null) return <Navigate to="/operator/accounts" replace />;
  return <Outlet key={account.account_id} />;
}

/** Provider admins have no such page. */
function operatorsOnly({ context: { session } }: { readonly context: { readonly session: PortalSession } }): void {
  if (!rolesOf(session).operator) throw redirect({ to: '/operator/accounts' });
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
