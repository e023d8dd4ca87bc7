import { queryOptions, useQueries } from '@tanstack/react-query';
import type { AuditEntry } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { operatorKey } from '../../api/queries.ts';
import { listQuery } from '../../parts/list/use-list.ts';
import { ownProviders, rolesOf, useSession } from '../../session/session.ts';

// Every key begins with `operator`: a change is followed by asking again for all of it that is on screen.

/** The list of accounts; its pages add their filters to the key. */
export const accountsKey = [...operatorKey, 'accounts'] as const;
export const accountsPath = '/portal/api/operator/accounts';

/** Some accounts that fit a search, for a field to choose from. */
export const accountsQuery = (search: string) => listQuery(accountsKey, accountsPath, { search, sort: 'name' });

/** One account with its members. */
export function accountDetailQuery(accountId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'account', accountId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/accounts/:id', { params: { id: accountId }, signal }),
  });
}

export function accountNoteQuery(accountId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'note', accountId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/accounts/:id/note', { params: { id: accountId }, signal }),
  });
}

/** The list of providers. */
export const providersKey = [...operatorKey, 'providers'] as const;
export const providersPath = '/portal/api/operator/providers';

/** Some providers that fit a search, for a field to choose from. */
export const providersQuery = (search: string) => listQuery(providersKey, providersPath, { search, sort: 'name' });

/** One provider with its admins. */
export function providerQuery(providerId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'provider', providerId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/providers/:id', { params: { id: providerId }, signal }),
  });
}

/** The names of these providers by id, as far as they are known already and this person may know them. */
export function useProviderNames(ids: readonly string[]): Readonly<Record<string, string>> {
  const session = useSession();
  const reached = rolesOf(session).operator ? ids : ids.filter((id) => ownProviders(session).includes(id));
  return useQueries({
    queries: [...new Set(reached)].map(providerQuery),
    combine: (found) => Object.fromEntries(found.flatMap(({ data }) => (data === undefined ? [] : [[data.provider_id, data.name]]))),
  });
}

/** The names of the providers that changes tell of, by id. */
export function useChangedProviders(entries: readonly AuditEntry[] = []): Readonly<Record<string, string>> {
  return useProviderNames(
    entries.flatMap(({ details: { provider_id: change } }) =>
      typeof change === 'object' && change !== null ? Object.values(change).filter((id) => typeof id === 'string') : [],
    ),
  );
}

export const plansQuery = queryOptions({
  queryKey: [...operatorKey, 'plans'],
  queryFn: async ({ signal }) => (await call('GET /portal/api/operator/plans', { signal })).plans,
});

/** The list of people. */
export const usersKey = [...operatorKey, 'users'] as const;
export const usersPath = '/portal/api/operator/users';

/** One person. */
export function userQuery(userId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'user', userId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/users/:id', { params: { id: userId }, signal }),
  });
}

/** The list of the invitations that may be used now. */
export const invitationsKey = [...operatorKey, 'invitations'] as const;
export const invitationsPath = '/portal/api/operator/invitations';

/** One invitation, whatever became of it. */
export function invitationQuery(invitationId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'invitation', invitationId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/invitations/:id', { params: { id: invitationId }, signal }),
  });
}

/** The list of numbers. Live events invalidate this key. */
export const numbersKey = [...operatorKey, 'numbers'] as const;
export const numbersPath = '/portal/api/operator/numbers';

/** The state of the gateway; for operators only. */
export const healthQuery = queryOptions({
  queryKey: [...operatorKey, 'health'],
  queryFn: ({ signal }) => call('GET /portal/api/operator/health', { signal }),
  refetchInterval: 5000,
});

/** The list of changes. */
export const auditKey = [...operatorKey, 'audit'] as const;
export const auditPath = '/portal/api/operator/audit';
