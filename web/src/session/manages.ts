import { useSession } from './session.ts';

/** Whether the person decides who belongs to the account: its owners do, and operators and provider admins who act for it. */
export function useManages(): boolean {
  const { account, memberships } = useSession();
  if (account === null) return false;
  const own = memberships.find(({ account_id }) => account_id === account.account_id);
  if (own?.role === 'owner') return true;
  // Only operators and provider admins can act for an account they do not belong to.
  return own === undefined || memberships.some(({ role }) => role === 'operator');
}
