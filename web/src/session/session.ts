import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { ApiError, actingAccount, call } from '../api/client.ts';
import { t } from '../language/language.ts';

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  async queryFn({ client, signal }): Promise<PortalSession | null> {
    try {
      return await followed(signal);
    } catch (error) {
      // After a change of the account the answer is about the one before.
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      if (error.status === 401) {
        // When the session ends while pages are open, this is an error: they stay on screen until the sign-in page is loaded.
        if (client.getQueryData(['session']) != null) throw error;
        return null;
      }
      if (error.code === 'forbidden' && actingAccount.get() !== null) {
        // The person may no longer act for that account, so the tab falls back to their own.
        actingAccount.set(null);
        return followed(signal);
      }
      throw error;
    }
  },
  staleTime: 60_000,
});

/** Asks who is signed in, and keeps the account that they act for. */
async function followed(signal: AbortSignal): Promise<PortalSession> {
  const session = await call('GET /portal/api/session', { signal });
  signal.throwIfAborted();
  actingAccount.set(namedAccount(session));
  return session;
}

/**
 * The account as requests and addresses must name it; null where the server takes it by itself, because the person has no other. Of several
 * accounts another one may be the first tomorrow.
 */
export function namedAccount({ accounts, account }: Pick<PortalSession, 'accounts' | 'account'>): string | null {
  const id = account?.account_id ?? null;
  return accounts.length === 1 && accounts[0]?.account_id === id ? null : id;
}

/** The signed-in person, on pages that are behind the sign-in. */
export function useSession(): PortalSession {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new ApiError({ status: 401, code: 'invalid_session', message: t('Sign in again.'), requestId: null });
  return data;
}

/** The account that the pages on screen belong to, on pages that are about one. */
export function useAccountId(): string {
  const { account } = useSession();
  if (account === null) throw new Error('this page is about an account, and none is chosen');
  return account.account_id;
}

/** Whether the person runs the whole gateway or one reseller's part of it. */
export function rolesOf({ memberships }: Pick<PortalSession, 'memberships'>) {
  return {
    operator: memberships.some(({ role }) => role === 'operator'),
    providerAdmin: memberships.some(({ role }) => role === 'provider_admin'),
  };
}

/** The ids of the providers that the person is an admin of. */
export function ownProviders({ memberships }: Pick<PortalSession, 'memberships'>): readonly string[] {
  return memberships.flatMap(({ role, provider_id }) => (role === 'provider_admin' && provider_id !== null ? [provider_id] : []));
}
