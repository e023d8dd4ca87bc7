import type { FastifyInstance } from 'fastify';
import { peopleSorts, selectPeoplePage } from '../../../people/index.ts';
import { role, search } from '../../fields.ts';
import { listRoutes } from '../../listing/list.ts';
import { userView } from '../../people-views.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { reachOf } from '../../reach.ts';

/** GET /portal/api/operator/users: everybody for an operator, those at a provider and its accounts for its admin. */
export function userListRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store } = options;

  listRoutes(server, options, {
    path: '/portal/api/operator/users',
    file: 'people',
    sorts: peopleSorts,
    ids: 'text',
    usual: '-created',
    filters: { search, role: role.optional() },
    onRequest: [administers(options, { providerAdmins: true })],
    read: (request, { search, role }, part) => selectPeoplePage(store.db, { ...reachOf(request.visitor), search, role }, part),
    view: (_request, rows) => rows.map(userView),
    idOf: ({ id }) => id,
    columns: {
      user_id: (user) => user.user_id,
      email: (user) => user.email,
      email_verified: (user) => user.email_verified,
      name: (user) => user.name,
      two_factor: (user) => user.two_factor,
      roles: ({ memberships }) =>
        memberships
          .map(({ role, account_name, provider_name }) => [role, account_name ?? provider_name].filter(Boolean).join(' '))
          .join('; '),
      created_at: (user) => user.created_at,
      last_seen_at: (user) => user.last_seen_at,
    },
  });
}
