import type { pagePaths } from '../../src/portal/page-paths.ts';
import type { SignedIn } from '../support/portal.ts';
import type { Bakery } from './bakery.ts';

/** One page as somebody sees it. */
export interface Sight {
  readonly path: string;
  /** null: nobody is signed in. */
  readonly as: SignedIn | null;
}

type Sights = (bakery: Bakery) => readonly Sight[];

const owner =
  (...paths: string[]): Sights =>
  (bakery) =>
    paths.map((path) => ({ path, as: bakery.owner }));
const operator =
  (...paths: string[]): Sights =>
  (bakery) =>
    paths.map((path) => ({ path, as: bakery.operator }));

/** Every page of the portal with what it can show; a page without its line here does not compile. */
export const filledPages: Readonly<Record<(typeof pagePaths)[number], Sights>> = {
  '/': (bakery) => [
    { path: '/', as: bakery.owner },
    { path: '/', as: bakery.operator },
    { path: '/', as: bakery.admin },
  ],
  '/sign-in': () => [{ path: '/sign-in', as: null }],
  '/link/:token': ({ linkToken, scanToken }) => [
    { path: `/link/${linkToken}`, as: null },
    { path: '/link/nothing', as: null },
    { path: `/link/${scanToken}`, as: null },
  ],
  '/passkey': () => [{ path: '/passkey', as: null }],
  '/numbers': owner('/numbers'),
  '/numbers/:instanceId': ({ owner: as, instanceId, unlinkedId }) => [
    { path: `/numbers/${instanceId}`, as },
    { path: `/numbers/${unlinkedId}`, as },
  ],
  '/keys': owner('/keys'),
  '/keys/:keyId': ({ owner: as, keyId }) => [{ path: `/keys/${keyId}`, as }],
  '/send': owner('/send', '/send?kind=contact', '/send?kind=buttons', '/send?kind=list'),
  '/activity': owner('/activity', '/activity?outcome=failed'),
  '/activity/:requestId': ({ owner: as, requestId, refusedRequestId }) => [
    { path: `/activity/${requestId}`, as },
    { path: `/activity/${refusedRequestId}`, as },
  ],
  '/usage': owner('/usage'),
  '/alerts': owner('/alerts'),
  '/alerts/:targetId': ({ owner: as, alertTargetId }) => [{ path: `/alerts/${alertTargetId}`, as }],
  '/sandbox-phone': ({ owner: as, contact }) => [{ path: `/sandbox-phone?with=${contact}`, as }],
  '/account': owner('/account', '/account?part=members', '/account?part=sign-in', '/account?part=changes'),
  '/account/members/:userId': ({ owner: as, memberId }) => [
    { path: `/account/members/${as.userId}`, as },
    { path: `/account/members/${memberId}`, as },
  ],
  '/account/invitations/:invitationId': ({ owner: as, invitationId }) => [{ path: `/account/invitations/${invitationId}`, as }],
  '/operator/accounts': operator('/operator/accounts'),
  '/operator/accounts/:accountId': ({ operator: as, customer }) => [{ path: `/operator/accounts/${customer.accountId}`, as }],
  '/operator/accounts/:accountId/keys/:keyId': ({ operator: as, customer, revokedKeyId }) => [
    { path: `/operator/accounts/${customer.accountId}/keys/${revokedKeyId}`, as },
  ],
  '/operator/providers': operator('/operator/providers'),
  '/operator/providers/:providerId': ({ operator: as, admin, providerId }) => [
    { path: `/operator/providers/${providerId}`, as },
    { path: `/operator/providers/${providerId}`, as: admin },
  ],
  '/operator/providers/:providerId/brand': ({ operator: as, admin, providerId }) => [
    { path: `/operator/providers/${providerId}/brand`, as },
    { path: `/operator/providers/${providerId}/brand`, as: admin },
  ],
  '/operator/plans': operator('/operator/plans'),
  '/operator/users': operator('/operator/users'),
  '/operator/users/:userId': ({ operator: as, owner: { userId } }) => [{ path: `/operator/users/${userId}`, as }],
  '/operator/users/invitations': operator('/operator/users/invitations'),
  '/operator/users/invitations/:invitationId': ({ operator: as, invitationId }) => [
    { path: `/operator/users/invitations/${invitationId}`, as },
  ],
  '/operator/numbers': operator('/operator/numbers'),
  '/operator/numbers/import': operator('/operator/numbers/import'),
  '/operator/numbers/:instanceId': ({ operator: as, unlinkedId }) => [{ path: `/operator/numbers/${unlinkedId}`, as }],
  '/operator/alerts': operator('/operator/alerts'),
  '/operator/alerts/:targetId': ({ operator: as, allAlertsTargetId }) => [{ path: `/operator/alerts/${allAlertsTargetId}`, as }],
  '/operator/health': operator('/operator/health'),
  '/operator/usage': operator('/operator/usage', '/operator/usage?from=2026-01-01&to=2026-11-30'),
  '/operator/audit': operator('/operator/audit'),
};

/** Pages as the owner of a new account sees them. */
export const emptyPages = [
  '/',
  '/numbers',
  '/numbers/00000000-0000-7000-8000-000000000000',
  '/keys',
  '/keys/00000000-0000-7000-8000-000000000000',
  '/send',
  '/activity',
  '/activity/nothing',
  '/activity?key_id=00000000-0000-7000-8000-000000000000',
  '/usage',
  '/alerts',
  '/alerts/00000000-0000-7000-8000-000000000000',
  '/sandbox-phone',
  '/account',
  '/account?part=members',
  '/account?part=changes',
  '/account/members/00000000-0000-7000-8000-000000000000',
  '/account/invitations/00000000-0000-7000-8000-000000000000',
];
