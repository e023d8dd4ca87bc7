import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AccountOfPeople } from '../../../parts/people/members.ts';
import { useManages } from '../../../session/manages.ts';
import { useSession } from '../../../session/session.ts';

/** A page for those who decide who belongs to the account; everybody else is led to what they may see of it. */
export function ForManagers({ children }: { readonly children: (account: AccountOfPeople) => ReactNode }) {
  const { account } = useSession();
  const manages = useManages();
  return account === null || !manages ? <Navigate to="/account" replace /> : children(account);
}
