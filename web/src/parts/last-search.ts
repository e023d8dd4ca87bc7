import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../session/session.ts';

type Search = Readonly<Record<string, unknown>>;

/** What opens a dialog is done with when the page is left; the account that is acted for stands in every address. */
const passing: readonly string[] = ['add', 'pair', 'account'];

/** An object of one account is no filter for the lists of another. */
const keyOf = (accountId: string | undefined, path: string) => JSON.stringify(['last-search', accountId, path]);

/** Keeps for this tab which filters, order and place each list was left with. Shows nothing: what uses the whole address is drawn anew with each step. */
export function KeptSearch(): null {
  const { pathname, search } = useLocation();
  const accountId = useSession().account?.account_id;
  useEffect(() => {
    const kept = Object.entries(search as Search).filter(([name]) => !passing.includes(name));
    const key = keyOf(accountId, pathname);
    if (kept.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(kept)));
  }, [pathname, search, accountId]);
  return null;
}

/** The search parameters that a page was left with. */
export function useLastSearch(path: string | undefined): Search {
  const accountId = useSession().account?.account_id;
  const kept = path === undefined ? null : sessionStorage.getItem(keyOf(accountId, path));
  return kept === null ? {} : (JSON.parse(kept) as Search);
}
