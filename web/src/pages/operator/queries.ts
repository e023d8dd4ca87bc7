import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type {
  AccountDetail,
  AccountView,
  AuditEntry,
  HealthView,
  InvitationView,
  NumberView,
  PlanView,
  ProviderView,
  UserView,
} from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { operatorKey } from '../../api/queries.ts';
import { rolesOf, useSession } from '../../session/session.ts';

// Every key begins with `operator`: a change is followed by asking again for all of it that is on screen.

const base = '/portal/api/operator';

/** The newest accounts that fit, and how many there are. */
export function accountsQuery(filter: { readonly search?: string | undefined; readonly provider_id?: string | undefined }) {
  return queryOptions({
    queryKey: [...operatorKey, 'accounts', filter],
    queryFn: ({ signal }) =>
      call<{ readonly accounts: readonly AccountView[]; readonly total: number }>(`${base}/accounts${asked(filter)}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One account with its members. */
export function accountDetailQuery(accountId: string) {
  return queryOptions({
    queryKey: [...operatorKey, 'account', accountId],
    queryFn: ({ signal }) => call<AccountDetail>(`${base}/accounts/${encodeURIComponent(accountId)}`, { signal }),
  });
}

/** Every provider; operators only. */
export const providersQuery = queryOptions({
  queryKey: [...operatorKey, 'providers'],
  queryFn: async ({ signal }) => (await call<{ readonly providers: readonly ProviderView[] }>(`${base}/providers`, { signal })).providers,
});

/** The names of the providers this person runs, by id. Provider admins learn them from their own entry in the list of people. */
export function useProviderNames(): Readonly<Record<string, string>> {
  const session = useSession();
  const { operator } = rolesOf(session);
  const { data: all = [] } = useQuery({ ...providersQuery, enabled: operator });
  const { data: people } = useQuery({ ...usersQuery({ search: session.user.email }), enabled: !operator });
  if (operator) return Object.fromEntries(all.map(({ provider_id, name }) => [provider_id, name]));
  const own = people?.users.find(({ user_id }) => user_id === session.user.user_id)?.memberships ?? [];
  return Object.fromEntries(
    own.flatMap(({ provider_id, provider_name }) => (provider_id === null ? [] : [[provider_id, provider_name ?? provider_id]])),
  );
}

/** Every plan. */
export const plansQuery = queryOptions({
  queryKey: [...operatorKey, 'plans'],
  queryFn: async ({ signal }) => (await call<{ readonly plans: readonly PlanView[] }>(`${base}/plans`, { signal })).plans,
});

/** The newest people and unused invitations that fit. */
export function usersQuery(filter: { readonly search?: string | undefined }) {
  return queryOptions({
    queryKey: [...operatorKey, 'users', filter],
    queryFn: ({ signal }) =>
      call<{ readonly users: readonly UserView[]; readonly invitations: readonly InvitationView[]; readonly total: number }>(
        `${base}/users${asked(filter)}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

/** Which numbers are wanted. */
export interface NumberFilter {
  readonly status?: NumberView['status'] | undefined;
  readonly standing?: 'needs_person' | 'never_linked' | undefined;
  readonly network?: string | undefined;
  readonly search?: string | undefined;
}

/** The newest numbers that fit, and how many there are. Live events invalidate this key. */
export function numbersQuery(filter: NumberFilter) {
  return queryOptions({
    queryKey: [...operatorKey, 'numbers', filter],
    queryFn: ({ signal }) =>
      call<{ readonly numbers: readonly NumberView[]; readonly total: number }>(`${base}/numbers${asked({ ...filter })}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The state of the gateway; for operators only. */
export const healthQuery = queryOptions({
  queryKey: [...operatorKey, 'health'],
  queryFn: ({ signal }) => call<HealthView>(`${base}/health`, { signal }),
  refetchInterval: 5000,
});

/** A page of the audit log: `before` leads to the next one, null when there is none. */
interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly before: string | null;
}

/** The audit log, newest first, page by page; of one account where it is given. */
export function auditQuery({ accountId, limit }: { readonly accountId?: string | undefined; readonly limit: number }) {
  return infiniteQueryOptions({
    queryKey: [...operatorKey, 'audit', { accountId, limit }],
    queryFn: ({ signal, pageParam }) =>
      call<AuditPage>(`${base}/audit${asked({ account_id: accountId, before: pageParam ?? undefined, limit: String(limit) })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  });
}

function asked(parameters: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== '') query.set(name, value);
  return query.size === 0 ? '' : `?${query}`;
}
