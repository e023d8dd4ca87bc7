import { GatewayError } from '../core/index.ts';
import { membershipsOf, type Place, type Role, roleAt } from '../people/index.ts';
import type { AccountRow, AccountTerms, OneTimeLinkRow, Store } from '../store/index.ts';
import { termsOf } from './admitted.ts';
import { type AccountWithPlan, selectAccountNames, selectAccountWithPlan } from './queries/accounts.ts';
import { selectProvider } from './queries/providers.ts';

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

/** The terms of an account, for a request that comes with neither key nor session; null without such an account. */
export async function accountTerms(store: Store, accountId: string): Promise<AccountTerms | null> {
  const account = await selectAccountWithPlan(store.db, accountId);
  return account === undefined ? null : termsOf(account);
}

/** The accounts a person is a member of, with their names. */
export async function ownAccounts(store: Store, places: readonly Place[]): Promise<Pick<ActingFor, 'accountId' | 'name' | 'status'>[]> {
  const ids = places.flatMap((place) => (place.accountId === null ? [] : [place.accountId]));
  return (await selectAccountNames(store.db, ids)).map(({ id, name, status }) => ({ accountId: id, name, status }));
}

/**
 * Throws account_suspended for an invitation to an account or provider that is suspended, so that its maker may change nothing there
 * (decisions §13). The link stays, and works again when the suspension is over.
 */
export async function refuseSuspendedInvitation(store: Store, link: OneTimeLinkRow): Promise<void> {
  const { purpose, maker_id, account_id, provider_id } = link;
  if (purpose !== 'invitation' || maker_id === null) return;
  const places = await membershipsOf(store, maker_id);
  if (places.some(({ role }) => role === 'operator')) return;
  if (account_id !== null) {
    const maker = await actingAccount(store, places, account_id);
    if (maker !== null) refuseSuspended(maker.role, maker.account);
  } else if (provider_id !== null) {
    const provider = await selectProvider(store.db, provider_id);
    if (provider?.status === 'suspended') throw suspendedByOperator();
  }
}

/** By what an account, or the provider it belongs to, is suspended. */
export interface SuspensionTerms extends Pick<AccountRow, 'status' | 'suspended_by'> {
  readonly provider_status: 'active' | 'suspended';
}

/**
 * Throws account_suspended when somebody who has this role at the account may only look at it (decisions §13): the account's own people while
 * it is suspended by whomever, the admins of its provider when an operator did that.
 */
export function refuseSuspended(role: Role, { status, suspended_by, provider_status }: SuspensionTerms): void {
  switch (role) {
    case 'operator':
      return;
    case 'provider_admin':
      if (suspended_by === 'operator' || provider_status === 'suspended') throw suspendedByOperator();
      return;
    case 'owner':
    case 'member':
      if (status === 'suspended' || provider_status === 'suspended')
        throw new GatewayError('account_suspended', 'The account is suspended: you can view everything but change nothing.');
  }
}

/** The refusal when a provider's admin wants to change or resume something that an operator suspended. */
export function suspendedByOperator(): GatewayError {
  return new GatewayError('account_suspended', 'An operator suspended this. Only an operator can change or resume it.');
}
