import type { FastifyInstance } from 'fastify';
import type { PortalWorld } from '../../world.ts';
import { operatorAccountRoutes } from './accounts.ts';
import { healthRoute } from './health.ts';
import { invitationRoutes } from './invitations.ts';
import { numberRoutes } from './numbers.ts';
import { planRoutes } from './plans.ts';
import { providerRoutes } from './providers.ts';
import { userRoutes } from './users.ts';

/** Everything under /portal/api/operator but the audit log: for operators, and in part for the admins of providers. */
export function operatorRoutes(server: FastifyInstance, world: PortalWorld): void {
  providerRoutes(server, world);
  operatorAccountRoutes(server, world);
  planRoutes(server, world);
  userRoutes(server, world);
  invitationRoutes(server, world);
  numberRoutes(server, world);
  healthRoute(server, world);
}
