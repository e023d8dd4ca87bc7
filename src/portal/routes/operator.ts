import type { FastifyInstance } from 'fastify';
import type { PortalOptions } from '../portal-options.ts';
import { accountBulkRoute } from './operator/account-bulk.ts';
import { accountImportRoutes } from './operator/account-import.ts';
import { accountListRoutes } from './operator/account-list.ts';
import { accountNoteRoutes } from './operator/account-note.ts';
import { operatorAccountRoutes } from './operator/accounts.ts';
import { customerUsageRoutes } from './operator/customer-usage.ts';
import { healthRoute } from './operator/health.ts';
import { invitationRoutes } from './operator/invitations.ts';
import { numberRoutes } from './operator/numbers.ts';
import { planRoutes } from './operator/plans.ts';
import { providerBrandRoutes } from './operator/provider-brand.ts';
import { providerRoutes } from './operator/providers.ts';
import { userBulkRoute } from './operator/user-bulk.ts';
import { userListRoutes } from './operator/user-list.ts';
import { userRoutes } from './operator/users.ts';

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
