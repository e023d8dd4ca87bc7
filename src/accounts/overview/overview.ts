import type { Store } from '../../store/index.ts';
import type { Filter } from '../lists/list.ts';
import { countNumbers } from '../lists/numbers/queries.ts';
import { type NamedMembership, selectNamedMemberships } from '../lists/people/queries.ts';
import { type AccountSummary, selectAccount } from '../queries.ts';
import { storedId } from '../terms.ts';

/** One account; undefined when it does not exist or belongs to another provider. */
export async function findAccount(
  store: Store,
  id: string,
  { providerIds }: Pick<Filter, 'providerIds'>,
): Promise<AccountSummary | undefined> {
  const account = await selectAccount(store.db, storedId(id));
  return account !== undefined && (providerIds === null || providerIds.includes(account.provider_id)) ? account : undefined;
}

/** How many numbers need a person, and how many were never linked, as far as the store knows. */
export async function countStandings(
  { db, dialect }: Store,
  now: number,
): Promise<{ readonly needs_person: number; readonly never_linked: number }> {
  const count = (standing: 'needs_person' | 'never_linked') =>
    countNumbers(db, { providerIds: null, standing, now }, { links: 'stored', dialect });
  const [needs_person, never_linked] = await Promise.all([count('needs_person'), count('never_linked')]);
  return { needs_person, never_linked };
}

/** A person's roles; with `providerIds` only those there. */
export function rolesOfUser(store: Store, userId: string, filter: Pick<Filter, 'providerIds'>): Promise<NamedMembership[]> {
  return selectNamedMemberships(store.db, [storedId(userId)], filter);
}
