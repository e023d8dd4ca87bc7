import type { FastifyRequest } from 'fastify';
import { type AccountSummary, findAccount } from '../accounts/index.ts';
import { GatewayError } from '../core/index.ts';
import { isId } from './fields.ts';
import type { Visitor } from './person.ts';
import type { PortalWorld } from './world.ts';

/** The providers that somebody administers; null: everything, for an operator. */
export function reachOf({ places }: Visitor): { readonly providerIds: readonly string[] | null } {
  if (places.some(({ role }) => role === 'operator')) return { providerIds: null };
  return { providerIds: places.flatMap(({ role, providerId }) => (role === 'provider_admin' && providerId !== null ? [providerId] : [])) };
}

/** The account, when whoever asks administers it; throws not_found, also for those of others. */
export async function accountInReach({ store }: PortalWorld, request: FastifyRequest, id: string): Promise<AccountSummary> {
  const account = isId(id) ? await findAccount(store, id, reachOf(request.visitor)) : undefined;
  if (account === undefined) throw notThere('account');
  return account;
}

/** The same words for what is not there and for what is somebody else's. */
export function notThere(what: string): GatewayError {
  return new GatewayError('not_found', `There is no such ${what}.`);
}
