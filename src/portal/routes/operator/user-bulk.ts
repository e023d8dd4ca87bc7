import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { selectPeople, type UserWithRoles } from '../../../people/index.ts';
import { role } from '../../fields.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../../listing/bulk.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { reachOf } from '../../reach.ts';

/** With `role` only roles of this kind. */
const body = z.object({ ...bulkFields, action: z.literal('remove_roles'), role: role.optional() });

/** POST /portal/api/operator/users/bulk: takes the roles in reach from many people, as DELETE of each role does. */
export function userBulkRoute(server: FastifyInstance, options: PortalOptions): void {
  bulkRoute(server, options, {
    path: '/portal/api/operator/users/bulk',
    body,
    onRequest: administers(options, { providerAdmins: true }),
    what: 'person',
    async intend(request, { ids, role }) {
      const reach = reachOf(request.visitor);
      const people = await selectPeople(options.store.db, ids, reach);
      const seen = people.filter(({ memberships }) => reach.providerIds === null || memberships.length > 0);
      return new Map(seen.map((person) => [person.id, intention(person, role, request.visitor.userId)]));
    },
  });
}

function intention({ id, email, memberships }: UserWithRoles, only: z.output<typeof role> | undefined, visitorId: string): Intention {
  // A slip would lock out the person who made it, with nobody left to help.
  if (id === visitorId)
    return { name: email, work: reason('nothing_to_do', 'That is you. Your own roles can only be removed one at a time.') };
  const taken = memberships.filter((membership) => only === undefined || membership.role === only);
  if (taken.length === 0)
    return { name: email, work: reason('nothing_to_do', only === undefined ? 'They have no role.' : 'They do not have this role.') };
  return {
    name: email,
    work: taken.map(({ role, account_id, provider_id }) => ({
      method: 'DELETE',
      url: `/portal/api/operator/users/${id}/memberships`,
      body: { role, account_id, provider_id },
    })),
  };
}
