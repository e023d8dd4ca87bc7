import type { MembershipRow, Store } from '../store/index.ts';
import { selectMemberships } from './queries/memberships.ts';

export type Role = MembershipRow['role'];

/** Where a role holds: nowhere in particular (operator), at a provider, or at an account. */
export interface Place {
  readonly role: Role;
  readonly providerId: string | null;
  readonly accountId: string | null;
}

/** A person's roles, oldest first. */
export async function membershipsOf(store: Store, userId: string): Promise<Place[]> {
  return (await selectMemberships(store.db, userId)).map(placeOf);
}

export function placeOf({ role, provider_id, account_id }: Pick<MembershipRow, 'role' | 'provider_id' | 'account_id'>): Place {
  return { role, providerId: provider_id, accountId: account_id };
}

/** The same for the audit log, which knows the provider of an account by itself. */
export function placeIds({ provider_id, account_id }: Pick<MembershipRow, 'provider_id' | 'account_id'>) {
  return { ...(account_id === null ? {} : { accountId: account_id }), ...(provider_id === null ? {} : { providerId: provider_id }) };
}

/** The strongest role these places give at an account; undefined without one. */
export function roleAt(places: readonly Place[], at: { accountId: string; providerId: string }): Role | undefined {
  if (places.some((place) => place.role === 'operator')) return 'operator';
  if (places.some((place) => place.role === 'provider_admin' && place.providerId === at.providerId)) return 'provider_admin';
  return places.find((place) => place.accountId === at.accountId)?.role;
}
