import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { actingAccount } from '../api/client.ts';
import { useSession } from '../session/session.ts';

type Search = Readonly<Record<string, unknown>>;

/** Whose lists they are. */
type Owner = Pick<PortalSession, 'user' | 'account'>;

/** What opens a dialog is done with when the page is left; the account that is acted for stands in every address. */
const passing: readonly string[] = ['add', 'pair', 'account'];

/** An object of one account is no filter for the lists of another, and somebody else may sign in in the same tab. */
const keyOf = ({ user, account }: Owner, path: string) => JSON.stringify(['last-search', user.user_id, account?.account_id, path]);

/** Keeps the filters, order and place in the address of a list. */
export function keepSearch(owner: Owner, path: string, search: Search): void {
  // On the way to another account the address is already, or still, the other one's.
  if ((search.account ?? null) !== actingAccount.get()) return;
  const kept = Object.entries(search).filter(([name]) => !passing.includes(name));
  const key = keyOf(owner, path);
  if (kept.length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
}

/** The search parameters that a list was left with. */
export function lastSearch(owner: Owner, path: string): Search {
  const kept = sessionStorage.getItem(keyOf(owner, path));
  return kept === null ? {} : (JSON.parse(kept) as Search);
}

/** Keeps for this tab how each list was left. Shows nothing: what uses the whole address is drawn anew with each step. */
export function KeptSearch(): null {
  const { pathname, search } = useLocation();
  const session = useSession();
  useEffect(() => keepSearch(session, pathname, search), [pathname, search, session]);
  return null;
}
