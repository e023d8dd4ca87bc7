import type { FastifyRequest } from 'fastify';
import { type AccountSummary, findAccount, listProviders, refuseSuspended, suspendedByOperator } from '../accounts/index.ts';
import { GatewayError } from '../core/index.ts';
import { administered, type Place, type SearchReach } from '../people/index.ts';
import type { Authority, ProviderRow } from '../store/index.ts';
import { isId } from './fields.ts';
import { changesSomething } from './origin.ts';
import type { Visitor } from './person.ts';
import type { PortalOptions } from './portal-options.ts';

/** The providers that somebody administers; null: everything, for an operator. */
export function reachOf({ places }: Visitor): { readonly providerIds: readonly string[] | null } {
  if (places.some(({ role }) => role === 'operator')) return { providerIds: null };
  return { providerIds: administered(places) };
}

/** Whose word a change of an account is. */
export function authorityOf(visitor: Visitor): Authority {
  return reachOf(visitor).providerIds === null ? 'operator' : 'provider';
}

/** The providers that a filter narrows a list to; throws not_found for one that the person does not administer. */
export function providersAsked({ visitor }: FastifyRequest, asked: string | undefined): readonly string[] | null {
  const { providerIds } = reachOf(visitor);
  const provider = asked?.toLowerCase();
  if (provider === undefined) return providerIds;
  if (providerIds !== null && !providerIds.includes(provider)) throw notThere('provider');
  return [provider];
}

/** Throws forbidden when the admin of a provider wants to set one of these fields. */
export function operatorsAlone<Body extends object>(
  { visitor }: FastifyRequest,
  body: Body,
  fields: readonly (keyof Body & string)[],
): void {
  if (reachOf(visitor).providerIds === null) return;
  const field = fields.find((one) => body[one] !== undefined);
  if (field !== undefined) throw new GatewayError('forbidden', `Only an operator may set ${field}.`, { field });
}

/** Whose objects a search shows somebody: what they administer, and the accounts that they are members of. Members see no other people. */
export function searchReachOf(visitor: Visitor): SearchReach {
  const accountsAs = (wanted: (role: Place['role']) => boolean) =>
    visitor.places.flatMap(({ role, accountId }) => (accountId !== null && wanted(role) ? [accountId] : []));
  return { ...reachOf(visitor), accountIds: accountsAs(() => true), ownedAccountIds: accountsAs((role) => role === 'owner') };
}

/**
 * The account, when the person administers it; throws not_found, also for those of others, and account_suspended when a provider's admin
 * wants to change something at what an operator suspended.
 */
export async function accountInReach({ store }: PortalOptions, request: FastifyRequest, id: string): Promise<AccountSummary> {
  const reach = reachOf(request.visitor);
  const account = isId(id) ? await findAccount(store, id, reach) : undefined;
  if (account === undefined) throw notThere('account');
  if (changesSomething(request)) refuseSuspended(reach.providerIds === null ? 'operator' : 'provider_admin', account);
  return account;
}

/** The same for a provider. */
export async function providerInReach({ store }: PortalOptions, request: FastifyRequest, id: string): Promise<ProviderRow> {
  const { providerIds } = reachOf(request.visitor);
  const provider = (await listProviders(store)).find((one) => one.id === id.toLowerCase());
  if (provider === undefined || (providerIds !== null && !providerIds.includes(provider.id))) throw notThere('provider');
  if (changesSomething(request) && providerIds !== null && provider.status === 'suspended') throw suspendedByOperator();
  return provider;
}

/**
 * The provider of new accounts: the one that was chosen; for an operator who chose none the built-in one, for an admin the only one. Throws
 * invalid_request when an admin of several chose none, and forbidden for one of others.
 */
export async function providerOfNew(options: PortalOptions, request: FastifyRequest, chosen: string | undefined): Promise<string> {
  const { providerIds } = reachOf(request.visitor);
  if (providerIds === null) return (await providerInReach(options, request, chosen ?? 'default')).id;
  const [only, ...more] = providerIds;
  const providerId = chosen?.toLowerCase() ?? (more.length === 0 ? only : undefined);
  if (providerId === undefined)
    throw new GatewayError('invalid_request', 'provider_id must say which of your providers the account belongs to.', {
      field: 'provider_id',
    });
  if (!providerIds.includes(providerId))
    throw new GatewayError('forbidden', 'provider_id must be one of your providers.', { field: 'provider_id' });
  return (await providerInReach(options, request, providerId)).id;
}

/** The provider of the place that a role is held at; null for an operator's, which is nowhere in particular. Throws like those for an account or provider. */
export async function placeInReach(
  options: PortalOptions,
  request: FastifyRequest,
  { accountId, providerId }: Pick<Place, 'accountId' | 'providerId'>,
): Promise<string | null> {
  if (accountId !== null) return (await accountInReach(options, request, accountId)).provider_id;
  return providerId === null ? null : (await providerInReach(options, request, providerId)).id;
}

/** The answer for a missing object and for somebody else's is the same. */
export function notThere(what: string): GatewayError {
  return new GatewayError('not_found', `There is no such ${what}.`);
}
