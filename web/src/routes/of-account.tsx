import { createRoute, lazyRouteComponent, Navigate, Outlet, redirect } from '@tanstack/react-router';
import { listSearch } from '../parts/list/use-list.ts';
import { useSession } from '../session/session.ts';
import { signedIn } from './frame.ts';

/** Pages about one account; an operator who acts for none chooses one first. */
const ofAccount = createRoute({
  getParentRoute: () => signedIn,
  id: 'of-account',
  beforeLoad({ context: { session } }) {
    if (session.account === null) throw redirect({ to: '/operator/accounts' });
  },
  component: OfAccount,
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
  component: lazyRouteComponent(() => import('../pages/numbers/numbers-page.tsx')),
});
const number = createRoute({
  getParentRoute: () => ofAccount,
  path: '/numbers/$instanceId',
  component: lazyRouteComponent(() => import('../pages/numbers/number-page.tsx')),
});
const keys = createRoute({
  getParentRoute: () => ofAccount,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): ReturnType<typeof listSearch<'search' | 'state'>> & { add?: true } => ({
    ...listSearch(search, ['search', 'state']),
    ...(search.add === true ? { add: true as const } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/keys/keys-page.tsx')),
});
const key = createRoute({
  getParentRoute: () => ofAccount,
  path: '/keys/$keyId',
  component: lazyRouteComponent(() => import('../pages/keys/key-page.tsx')),
});
const send = createRoute({
  getParentRoute: () => ofAccount,
  path: '/send',
  // The number to send from, and the kind of message.
  validateSearch: (search: Record<string, unknown>): { instance_id?: string; kind?: string } => ({
    ...(typeof search.instance_id === 'string' ? { instance_id: search.instance_id } : {}),
    ...(typeof search.kind === 'string' ? { kind: search.kind } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/send/send-page.tsx')),
});
const activity = createRoute({
  getParentRoute: () => ofAccount,
  path: '/activity',
  // Which sends are listed. The recipient is a number, so that the address is ?recipient=15550123.
  validateSearch: (
    search: Record<string, unknown>,
  ): { instance_id?: string; type?: string; outcome?: string; recipient?: number; key_id?: string } => ({
    ...(typeof search.instance_id === 'string' ? { instance_id: search.instance_id } : {}),
    ...(typeof search.type === 'string' ? { type: search.type } : {}),
    ...(typeof search.outcome === 'string' ? { outcome: search.outcome } : {}),
    ...(/^[1-9]\d{5,14}$/.test(String(search.recipient)) ? { recipient: Number(search.recipient) } : {}),
    ...(typeof search.key_id === 'string' ? { key_id: search.key_id } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/activity/activity-page.tsx')),
});
const activityRequest = createRoute({
  getParentRoute: () => ofAccount,
  path: '/activity/$requestId',
  component: lazyRouteComponent(() => import('../pages/activity/request-page.tsx')),
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
  component: lazyRouteComponent(() => import('../pages/usage/usage-page.tsx')),
});
const alerts = createRoute({
  getParentRoute: () => ofAccount,
  path: '/alerts',
  component: lazyRouteComponent(() => import('../pages/alerts/alerts-page.tsx')),
});
const alertTarget = createRoute({
  getParentRoute: () => ofAccount,
  path: '/alerts/$targetId',
  component: lazyRouteComponent(() => import('../pages/alerts/alert-target-page.tsx')),
});
const sandboxPhone = createRoute({
  getParentRoute: () => ofAccount,
  path: '/sandbox-phone',
  // The contact whose phone is open. A number, so that the address is ?with=15550123.
  validateSearch: (search: Record<string, unknown>): { with?: number } =>
    /^[1-9]\d{5,14}$/.test(String(search.with)) ? { with: Number(search.with) } : {},
  component: lazyRouteComponent(() => import('../pages/sandbox-phone/sandbox-phone-page.tsx')),
});
const member = createRoute({
  getParentRoute: () => ofAccount,
  path: '/account/members/$userId',
  component: lazyRouteComponent(() => import('../pages/account/people/member-page.tsx')),
});
const invitation = createRoute({
  getParentRoute: () => ofAccount,
  path: '/account/invitations/$invitationId',
  component: lazyRouteComponent(() => import('../pages/account/people/own-invitation-page.tsx')),
});

/** Pages about the account that is acted for. */
export const accountRoutes = ofAccount.addChildren([
  numbers,
  number,
  keys,
  key,
  send,
  activity,
  activityRequest,
  usage,
  alerts,
  alertTarget,
  sandboxPhone,
  member,
  invitation,
]);

/** Pages of another account are other pages: nothing typed or opened on those of the one before is taken along. */
function OfAccount() {
  const { account } = useSession();
  if (account === null) return <Navigate to="/operator/accounts" replace />;
  return <Outlet key={account.account_id} />;
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}
