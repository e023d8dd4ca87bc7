import { Box, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { rolesOf, useSession } from '../session/session.ts';

const AccountSelect = lazy(() => import('./account-select.tsx'));

/** Goes to another account; only for people with several, since its field is a tenth of a page's scripts. */
export function AccountSwitcher() {
  const { accounts, memberships } = useSession();
  const { operator, providerAdmin } = rolesOf({ memberships });
  if (!operator && !providerAdmin && accounts.length < 2) return null;
  return (
    // Its room is there before it, so that the brand beside it is not cut later.
    <Box w={{ base: 130, sm: 220 }} h={30}>
      <Suspense fallback={<Skeleton h="100%" />}>
        <AccountSelect />
      </Suspense>
    </Box>
  );
}
