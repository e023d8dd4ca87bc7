import { GatewayError, newId } from '../../core/index.ts';
import type { AccountTerms, MembershipRow, Store } from '../../store/index.ts';
import { termsOf } from '../admitted.ts';
import { type AccountWithPlan, selectAccountNames, selectAccountWithPlan } from '../queries.ts';
import { selectMemberships } from './queries.ts';

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

/** A new membership's row. */
export function membershipRow(userId: string, place: Place, now: number): MembershipRow {
  return {
    id: newId(),
    user_id: userId,
    role: place.role,
    provider_id: place.providerId,
    account_id: place.accountId,
    created_at: now,
  };
}

/** An account that a person may act for, and as what. */
export interface ActingFor {
  readonly accountId: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly role: Role;
  readonly terms: AccountTerms;
  readonly account: AccountWithPlan;
}

/**
 * The account a person acts for: the one asked for, else the first of their own; null when they have none of their own.
 * Throws forbidden when they may not act for the one asked for, which is also the answer to one that does not exist.
 */
export async function actingAccount(store: Store, places: readonly Place[], asked: string | undefined): Promise<ActingFor | null> {
  const own = asked === undefined ? places.find((place) => place.accountId !== null)?.accountId : asked;
  if (own == null) return null;
  const account = await selectAccountWithPlan(store.db, own.toLowerCase());
  const role = account === undefined ? undefined : roleAt(places, { accountId: account.id, providerId: account.provider_id });
  if (account === undefined || role === undefined) throw new GatewayError('forbidden', 'You may not act for that account.');
  return { accountId: account.id, name: account.name, status: account.status, role, terms: termsOf(account), account };
}

/** The strongest role these places give at an account; undefined without one. */
export function roleAt(places: readonly Place[], at: { accountId: string; providerId: string }): Role | undefined {
  if (places.some((place) => place.role === 'operator')) return 'operator';
  if (places.some((place) => place.role === 'provider_admin' && place.providerId === at.providerId)) return 'provider_admin';
  return places.find((place) => place.accountId === at.accountId)?.role;
}

/** The accounts a person is a member of, with their names. */
export async function ownAccounts(store: Store, places: readonly Place[]): Promise<Pick<ActingFor, 'accountId' | 'name' | 'status'>[]> {
  const ids = places.flatMap((place) => (place.accountId === null ? [] : [place.accountId]));
  return (await selectAccountNames(store.db, ids)).map(({ id, name, status }) => ({ accountId: id, name, status }));
}
