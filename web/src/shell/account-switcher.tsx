import { lazy, Suspense } from 'react';
import { rolesOf, useSession } from '../session/session.ts';

const AccountSelect = lazy(() => import('./account-select.tsx'));

/** Goes to another account; only for people with several, since its field is a tenth of a page's scripts. */
export function AccountSwitcher() {
  const { accounts, memberships } = useSession();
  const { operator, providerAdmin } = rolesOf({ memberships });
  if (!operator && !providerAdmin && accounts.length < 2) return null;
  return (
    <Suspense fallback={null}>
      <AccountSelect />
    </Suspense>
  );
}
