import type { FastifyInstance } from 'fastify';
import type { PortalOptions } from '../../portal-options.ts';
import { accountBulkRoute } from './account-bulk.ts';
import { accountImportRoutes } from './account-import.ts';
import { accountListRoutes } from './account-list.ts';
import { accountNoteRoutes } from './account-note.ts';
import { operatorAccountRoutes } from './accounts.ts';
import { customerUsageRoutes } from './customer-usage.ts';
import { healthRoute } from './health.ts';
import { invitationRoutes } from './invitations.ts';
import { numberRoutes } from './numbers.ts';
import { planRoutes } from './plans.ts';
import { providerBrandRoutes } from './provider-brand.ts';
import { providerRoutes } from './providers.ts';
import { userBulkRoute } from './user-bulk.ts';
import { userListRoutes } from './user-list.ts';
import { userRoutes } from './users.ts';

/** Everything under /portal/api/operator but the audit log: for operators, and in part for the admins of providers. */
export function operatorRoutes(server: FastifyInstance, options: PortalOptions): void {
  providerRoutes(server, options);
  accountListRoutes(server, options);
  accountBulkRoute(server, options);
  providerBrandRoutes(server, options);
  operatorAccountRoutes(server, options);
  accountNoteRoutes(server, options);
  accountImportRoutes(server, options);
  customerUsageRoutes(server, options);
  planRoutes(server, options);
  userListRoutes(server, options);
  userBulkRoute(server, options);
  userRoutes(server, options);
  invitationRoutes(server, options);
  numberRoutes(server, options);
  healthRoute(server, options);
}
