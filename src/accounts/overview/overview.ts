import type { Store } from '../../store/index.ts';
import { type AccountSummary, selectAccount } from '../queries.ts';
import { storedId } from '../terms.ts';
import {
  countNumbers,
  type Filter,
  type InvitationSummary,
  type NamedMembership,
  type NumberFilter,
  type NumberSummary,
  type Page,
  type ProviderSummary,
  selectAccountPage,
  selectInvitations,
  selectNamedMemberships,
  selectNumberIds,
  selectNumbers,
  selectProviderSummaries,
  selectUserPage,
  type UserSummary,
} from './queries.ts';

/** How many of anything one look shows; a search finds the others. */
const mostShown = 500;

/** A person with the roles that are looked at. */
export interface UserWithRoles extends UserSummary {
  readonly memberships: readonly NamedMembership[];
}

/** The newest 500 accounts that fit. */
export function findAccounts(store: Store, filter: Filter): Promise<Page<AccountSummary>> {
  return selectAccountPage(store.db, filter, mostShown);
}

/** One account; undefined when it does not exist or belongs to another provider. */
export async function findAccount(
  store: Store,
  id: string,
  { providerIds }: Pick<Filter, 'providerIds'>,
): Promise<AccountSummary | undefined> {
  const account = await selectAccount(store.db, storedId(id));
  return account !== undefined && (providerIds === null || providerIds.includes(account.provider_id)) ? account : undefined;
}

/** The oldest 500 providers. */
export function summariseProviders(store: Store): Promise<ProviderSummary[]> {
  return selectProviderSummaries(store.db, mostShown);
}

/** The newest 500 matching numbers; `isWanted` filters them. */
export async function findNumbers(
  store: Store,
  filter: Filter & NumberFilter,
  isWanted: (id: string) => boolean,
): Promise<Page<NumberSummary>> {
  const ids = (await selectNumberIds(store.db, filter)).filter(isWanted);
  return { rows: await selectNumbers(store.db, ids.slice(0, mostShown)), total: ids.length };
}

/** How many numbers need a person, and how many were never linked. */
export async function countStandings(store: Store): Promise<{ readonly needs_person: number; readonly never_linked: number }> {
  const count = (standing: 'needs_person' | 'never_linked') => countNumbers(store.db, { providerIds: null, standing });
  const [needs_person, never_linked] = await Promise.all([count('needs_person'), count('never_linked')]);
  return { needs_person, never_linked };
}

/** The newest 500 people that fit, with their roles; with `providerIds` only the roles there. */
export async function findUsers(store: Store, filter: Filter): Promise<Page<UserWithRoles>> {
  const { rows, total } = await selectUserPage(store.db, filter, mostShown);
  const memberships = await selectNamedMemberships(
    store.db,
    rows.map(({ id }) => id),
    filter,
  );
  const roles = Map.groupBy(memberships, ({ user_id }) => user_id);
  return { rows: rows.map((user) => ({ ...user, memberships: roles.get(user.id) ?? [] })), total };
}

/** A person's roles; with `providerIds` only those there. */
export function rolesOfUser(store: Store, userId: string, filter: Pick<Filter, 'providerIds'>): Promise<NamedMembership[]> {
  return selectNamedMemberships(store.db, [storedId(userId)], filter);
}

/** The newest 500 invitations that may be used now; of one account where it is given. */
export function findInvitations(
  store: Store,
  filter: Filter & { readonly accountId?: string | undefined },
  now: number,
): Promise<InvitationSummary[]> {
  return selectInvitations(store.db, filter, now, mostShown);
}
