import { createRoute, Navigate, Outlet, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usageSearch } from '../pages/usage/period.ts';
import { useSession } from '../session/session.ts';
import { signedIn } from './frame.ts';
import { page } from './page.ts';
import { day, flag, hour, ofList, ofNumbers, oneOf, phone, searchOf, text } from './search.ts';

/** Pages about one account; an operator who acts for none chooses one first. */
const ofAccount = createRoute({
  getParentRoute: () => signedIn,
  id: 'of-account',
  beforeLoad({ context: { session } }) {
    if (session.account === null) throw redirect({ to: '/operator/accounts' });
  },
  component: OfAccount,
});

/** A page that takes nothing from its address but its path. */
const plain = <const Path extends string>(path: Path, load: () => Promise<{ readonly default: () => ReactNode }>) =>
  createRoute({ getParentRoute: () => ofAccount, path, component: page(load) });

const numbers = createRoute({
  getParentRoute: () => ofAccount,
  path: '/numbers',
  // Which dialog is open: adding a number, or linking this one. And what narrows a long list.
  validateSearch: searchOf({ ...ofNumbers, add: flag, pair: text }),
  component: page(() => import('../pages/numbers/numbers-page.tsx')),
});
const keys = createRoute({
  getParentRoute: () => ofAccount,
  path: '/keys',
  validateSearch: searchOf({ ...ofList('search'), state: oneOf('in_use', 'revoked'), add: flag }),
  component: page(() => import('../pages/keys/keys-page.tsx')),
});
const send = createRoute({
  getParentRoute: () => ofAccount,
  path: '/send',
  // The number to send from, and the kind of message.
  validateSearch: searchOf({ instance_id: text, kind: text }),
  component: page(() => import('../pages/send/send-page.tsx')),
});
const activity = createRoute({
  getParentRoute: () => ofAccount,
  path: '/activity',
  // Which sends are listed.
  validateSearch: searchOf({ instance_id: text, type: text, outcome: text, recipient: phone, key_id: text, hour, from: day, to: day }),
  component: page(() => import('../pages/activity/activity-page.tsx')),
});
const usage = createRoute({
  getParentRoute: () => ofAccount,
  path: '/usage',
  // Which days: a usual period, or from a day to a day.
  validateSearch: usageSearch,
  component: page(() => import('../pages/usage/usage-page.tsx')),
});
const sandboxPhone = createRoute({
  getParentRoute: () => ofAccount,
  path: '/sandbox-phone',
  // The contact whose phone is open.
  validateSearch: searchOf({ with: phone }),
  component: page(() => import('../pages/sandbox-phone/sandbox-phone-page.tsx')),
});

/** Pages about the account that is acted for. */
export const accountRoutes = ofAccount.addChildren([
  numbers,
  plain('/numbers/$instanceId', () => import('../pages/numbers/number-page.tsx')),
  keys,
  plain('/keys/$keyId', () => import('../pages/keys/key-page.tsx')),
  send,
  activity,
  plain('/activity/$requestId', () => import('../pages/activity/request-page.tsx')),
  usage,
  plain('/alerts', () => import('../pages/alerts/alerts-page.tsx')),
  plain('/alerts/$targetId', () => import('../pages/alerts/alert-target-page.tsx')),
  sandboxPhone,
  plain('/account/members/$userId', () => import('../pages/account/people/member-page.tsx')),
  plain('/account/invitations/$invitationId', () => import('../pages/account/people/own-invitation-page.tsx')),
]);

/** Pages of another account are other pages: nothing typed or opened on those of the one before is taken along. */
function OfAccount() {
  const { account } = useSession();
  if (account === null) return <Navigate to="/operator/accounts" replace />;
  return <Outlet key={account.account_id} />;
}
