import { useSession } from '../../session/session.ts';

/** Whether the person decides who belongs to the account: its owners, and whoever acts for it from above. */
export function useManages(): boolean {
  const { account, memberships } = useSession();
  if (account === null) return false;
  const own = memberships.find(({ account_id }) => account_id === account.account_id);
  if (own?.role === 'owner') return true;
  // Nobody but an operator or provider admin acts for an account without belonging to it.
  return own === undefined || memberships.some(({ role }) => role === 'operator');
}
