import { createRoute, Outlet, redirect } from '@tanstack/react-router';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { customerUsageSearch } from '../pages/operator/customer-usage/query.ts';
import { rolesOf } from '../session/session.ts';
import { signedIn } from './frame.ts';
import { page } from './page.ts';
import { hour, ofList, searchOf } from './search.ts';

const ofOperator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  beforeLoad({ context: { session } }) {
    const { operator, providerAdmin } = rolesOf(session);
    if (!operator && !providerAdmin) throw redirect({ to: '/numbers' });
  },
  component: Outlet,
});

const accounts = createRoute({
  getParentRoute: () => ofOperator,
  path: '/accounts',
  validateSearch: searchOf({
    ...ofList('search', 'provider_id', 'state', 'plan', 'ends_within', 'needs_person', 'sends', 'outcome'),
    hour,
  }),
  component: page(() => import('../pages/operator/accounts-page.tsx')),
});
const accountDetail = createRoute({
  getParentRoute: () => ofOperator,
  path: '/accounts/$accountId',
  component: page(() => import('../pages/operator/account-detail-page.tsx')),
});
const accountKey = createRoute({
  getParentRoute: () => ofOperator,
  path: '/accounts/$accountId/keys/$keyId',
  component: page(() => import('../pages/operator/account-key-page.tsx')),
});
const providers = createRoute({
  getParentRoute: () => ofOperator,
  path: '/providers',
  beforeLoad: operatorsOnly,
  validateSearch: searchOf(ofList('search', 'state')),
  component: page(() => import('../pages/operator/providers-page.tsx')),
});
const provider = createRoute({
  getParentRoute: () => ofOperator,
  path: '/providers/$providerId',
  component: page(() => import('../pages/operator/provider/provider-page.tsx')),
});
const brand = createRoute({
  getParentRoute: () => ofOperator,
  path: '/providers/$providerId/brand',
  component: page(() => import('../pages/operator/provider/brand-page.tsx')),
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
  validateSearch: searchOf(ofList('search', 'role')),
  component: page(() => import('../pages/operator/users-page.tsx')),
});
const user = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users/$userId',
  component: page(() => import('../pages/operator/user/user-page.tsx')),
});
const invitations = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users/invitations',
  validateSearch: searchOf(ofList('search', 'role')),
  component: page(() => import('../pages/operator/invitations-page.tsx')),
});
const invitation = createRoute({
  getParentRoute: () => ofOperator,
  path: '/users/invitations/$invitationId',
  component: page(() => import('../pages/operator/invitation-page.tsx')),
});
const allNumbers = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers',
  validateSearch: searchOf(ofList('search', 'standing', 'status', 'network', 'reason', 'account_id', 'provider_id')),
  component: page(() => import('../pages/operator/all-numbers-page.tsx')),
});
const numberImport = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers/import',
  beforeLoad: operatorsOnly,
  component: page(() => import('../pages/operator/number-import/number-import-page.tsx')),
});
const anyNumber = createRoute({
  getParentRoute: () => ofOperator,
  path: '/numbers/$instanceId',
  component: page(() => import('../pages/operator/any-number-page.tsx')),
});
const allAlerts = createRoute({
  getParentRoute: () => ofOperator,
  path: '/alerts',
  component: page(() => import('../pages/operator/all-alerts-page.tsx')),
});
const anyAlertTarget = createRoute({
  getParentRoute: () => ofOperator,
  path: '/alerts/$targetId',
  component: page(() => import('../pages/operator/any-alert-target-page.tsx')),
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
  validateSearch: searchOf(ofList('account_id', 'action', 'actor', 'name', 'from', 'to')),
  component: page(() => import('../pages/operator/audit-page.tsx')),
});

/** Pages about everything that somebody administers. */
export const operatorRoutes = ofOperator.addChildren([
  accounts,
  accountDetail,
  accountKey,
  providers,
  provider,
  brand,
  plans,
  users,
  user,
  invitations,
  invitation,
  allNumbers,
  numberImport,
  anyNumber,
  customerUsage,
  allAlerts,
  anyAlertTarget,
  health,
  audit,
]);

/** Provider admins have no such page. */
function operatorsOnly({ context: { session } }: { readonly context: { readonly session: PortalSession } }): void {
  if (!rolesOf(session).operator) throw redirect({ to: '/operator/accounts' });
}
