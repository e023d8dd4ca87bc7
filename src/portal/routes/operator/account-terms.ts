import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bounds } from '../../../accounts/index.ts';
import { GatewayError } from '../../../core/index.ts';
import { email, id, moment, name, reference, wholeNumber } from '../../fields.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { providerInReach, reachOf } from '../../reach.ts';

/** What may be changed of an account. */
export const accountChange = z.object({
  name: name.optional(),
  provider_id: id.optional(),
  status: z.enum(['active', 'suspended']).optional(),
  /** Name or id. */
  plan: z.string().min(1).max(100).nullable().optional(),
  plan_ends_at: moment.nullable().optional(),
  access_ends_at: moment.nullable().optional(),
  instance_limit: wholeNumber(bounds.instanceLimit).nullable().optional(),
  operator: z.boolean().optional(),
  free_slots: wholeNumber(bounds.freeSlots).nullable().optional(),
  reference: reference.nullable().optional(),
});

/** A new account has a name; its first owner may be invited with it. */
export const newAccount = accountChange.extend({ name, owner_email: email.optional() });

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
