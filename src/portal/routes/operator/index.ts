import type { FastifyInstance } from 'fastify';
import type { PortalOptions } from '../../portal-options.ts';
import { operatorAccountRoutes } from './accounts.ts';
import { healthRoute } from './health.ts';
import { invitationRoutes } from './invitations.ts';
import { numberRoutes } from './numbers.ts';
import { planRoutes } from './plans.ts';
import { providerRoutes } from './providers.ts';
import { userRoutes } from './users.ts';

/** Everything under /portal/api/operator but the audit log: for operators, and in part for the admins of providers. */
export function operatorRoutes(server: FastifyInstance, options: PortalOptions): void {
  providerRoutes(server, options);
  operatorAccountRoutes(server, options);
  planRoutes(server, options);
  userRoutes(server, options);
  invitationRoutes(server, options);
  numberRoutes(server, options);
  healthRoute(server, options);
}
