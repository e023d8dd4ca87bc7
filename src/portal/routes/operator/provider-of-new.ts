import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../../core/index.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { providerInReach, reachOf } from '../../reach.ts';

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
