import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type {
  AccountDetail,
  AccountNoteView,
  AccountView,
  HealthView,
  InvitationView,
  PlanChoice,
  ProviderView,
} from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { operatorKey } from '../../api/queries.ts';
import { listQuery, queryText } from '../../parts/list/use-list.ts';

// Every key begins with `operator`: a change is followed by asking again for all of it that is on screen.

const base = '/portal/api/operator';

/** The list of accounts; its pages add their filters to the key. */
export const accountsKey = [...operatorKey, 'accounts'] as const;
export const accountsPath = `${base}/accounts`;

/** Some accounts that fit a search, for a field to choose from. */
export const accountsQuery = (search: string) => listQuery<AccountView>(accountsKey, accountsPath, { search, sort: 'name' });

/** One account with its members. */
export function accountDetailQuery(accountId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'account', accountId],
    queryFn: ({ signal }) => call<AccountDetail>(`${base}/accounts/${encodeURIComponent(accountId)}`, { signal }),
  });
}

/** Where the note about an account is. */
export const notePath = (accountId: string): string => `${base}/accounts/${encodeURIComponent(accountId)}/note`;

/** The note about an account. */
export function accountNoteQuery(accountId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'note', accountId],
    queryFn: ({ signal }) => call<AccountNoteView>(notePath(accountId), { signal }),
  });
}

/** Every provider that this person runs. */
export const providersQuery = queryOptions({
  queryKey: [...operatorKey, 'providers'],
  queryFn: async ({ signal }) => (await call<{ readonly providers: readonly ProviderView[] }>(`${base}/providers`, { signal })).providers,
});

/** The names of the providers this person runs, by id. */
export function useProviderNames(): Readonly<Record<string, string>> {
  const { data = [] } = useQuery(providersQuery);
  return Object.fromEntries(data.map(({ provider_id, name }) => [provider_id, name]));
}

/** Every plan. */
export const plansQuery = queryOptions({
  queryKey: [...operatorKey, 'plans'],
  queryFn: async ({ signal }) => (await call<{ readonly plans: readonly PlanChoice[] }>(`${base}/plans`, { signal })).plans,
});

/** The list of people. */
export const usersKey = [...operatorKey, 'users'] as const;
export const usersPath = `${base}/users`;

/** The newest unused invitations that fit. */
export function invitationsQuery(search: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'invitations', search],
    queryFn: async ({ signal }) =>
      (await call<{ readonly invitations: readonly InvitationView[] }>(`${base}/invitations${queryText({ search })}`, { signal }))
        .invitations,
    placeholderData: keepPreviousData,
  });
}

/** The list of numbers. Live events invalidate this key. */
export const numbersKey = [...operatorKey, 'numbers'] as const;
export const numbersPath = `${base}/numbers`;

/** The state of the gateway; for operators only. */
export const healthQuery = queryOptions({
  queryKey: [...operatorKey, 'health'],
  queryFn: ({ signal }) => call<HealthView>(`${base}/health`, { signal }),
  refetchInterval: 5000,
});

/** The list of changes. */
export const auditKey = [...operatorKey, 'audit'] as const;
export const auditPath = `${base}/audit`;
