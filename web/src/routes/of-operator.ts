import { createRoute, Outlet, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { customerUsageSearch } from '../pages/operator/customer-usage/query.ts';
import { rolesOf } from '../session/session.ts';
import { signedIn } from './frame.ts';
import { page } from './page.ts';
import { day, ofAccounts, ofList, ofNumbers, oneOf, role, searchOf } from './search.ts';

const ofOperator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  beforeLoad({ context: { session } }) {
    const { operator, providerAdmin } = rolesOf(session);
    if (!operator && !providerAdmin) throw redirect({ to: '/numbers' });
  },
  component: Outlet,
});

/** A page that takes nothing from its address but its path. */
const plain = <const Path extends string>(path: Path, load: () => Promise<{ readonly default: () => ReactNode }>) =>
  createRoute({ getParentRoute: () => ofOperator, path, component: page(load) });

const accounts = createRoute({
  getParentRoute: () => ofOperator,
  path: '/accounts',
  validateSearch: searchOf(ofAccounts),
  component: page(() => import('../pages/operator/accounts-page.tsx')),
});
const providers = createRoute({
  getParentRoute: () => ofOperator,
  path: '/providers',
  beforeLoad: operatorsOnly,
  validateSearch: searchOf({ ...ofList('search'), state: oneOf('active', 'suspended') }),
  component: page(() => import('../pages/operator/providers-page.tsx')),
});
const plans = createRoute({
  getParentRoute: () => ofOperator,
  path: '/plans',
  beforeLoad: operatorsOnly,
  component: page(() => import('../pages/operator/plans-page.tsx')),
});
const users = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users',
  validateSearch: searchOf({ ...ofList('search'), role }),
  component: page(() => import('../pages/operator/users-page.tsx')),
});
const invitations = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users/invitations',
  validateSearch: searchOf({ ...ofList('search'), role }),
  component: page(() => import('../pages/operator/invitations-page.tsx')),
});
const allNumbers = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers',
  validateSearch: searchOf({ ...ofNumbers, ...ofList('account_id', 'provider_id') }),
  component: page(() => import('../pages/operator/all-numbers-page.tsx')),
});
const numberImport = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers/import',
  beforeLoad: operatorsOnly,
  component: page(() => import('../pages/operator/number-import/number-import-page.tsx')),
});
const health = createRoute({
  getParentRoute: () => ofOperator,
  path: '/health',
  beforeLoad: operatorsOnly,
  component: page(() => import('../pages/operator/health-page.tsx')),
});
const customerUsage = createRoute({
  getParentRoute: () => ofOperator,
  path: '/usage',
  validateSearch: customerUsageSearch,
  component: page(() => import('../pages/operator/customer-usage/customer-usage-page.tsx')),
});
const audit = createRoute({
  getParentRoute: () => ofOperator,
  path: '/audit',
  validateSearch: searchOf({ ...ofList('account_id', 'action', 'actor', 'name'), from: day, to: day }),
  component: page(() => import('../pages/operator/audit-page.tsx')),
});

/** Pages about everything that somebody administers. */
export const operatorRoutes = ofOperator.addChildren([
  accounts,
  plain('/accounts/$accountId', () => import('../pages/operator/account-detail-page.tsx')),
  plain('/accounts/$accountId/keys/$keyId', () => import('../pages/operator/account-key-page.tsx')),
  providers,
  plain('/providers/$providerId', () => import('../pages/operator/provider/provider-page.tsx')),
  plain('/providers/$providerId/brand', () => import('../pages/operator/provider/brand-page.tsx')),
  plans,
  users,
  plain('/users/$userId', () => import('../pages/operator/user/user-page.tsx')),
  invitations,
  plain('/users/invitations/$invitationId', () => import('../pages/operator/invitation-page.tsx')),
  allNumbers,
  numberImport,
  plain('/numbers/$instanceId', () => import('../pages/operator/any-number-page.tsx')),
  customerUsage,
  plain('/alerts', () => import('../pages/operator/all-alerts-page.tsx')),
  plain('/alerts/$targetId', () => import('../pages/operator/any-alert-target-page.tsx')),
  health,
  audit,
]);

/** Provider admins have no such page. */
function operatorsOnly({ context: { session } }: { readonly context: { readonly session: PortalSession } }): void {
  if (!rolesOf(session).operator) throw redirect({ to: '/operator/accounts' });
}
