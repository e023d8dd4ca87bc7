import type { FastifyInstance } from 'fastify';
import { type Mount, numbersCheckRoute, sendRoute } from '../http/index.ts';
import { allKinds } from '../kinds/index.ts';
import { noSuchPage, pages } from './pages.ts';
import type { PortalOptions } from './portal-options.ts';
import { accountRoutes } from './routes/account.ts';
import { activityRoutes } from './routes/activity.ts';
import { alertRoutes } from './routes/alerts.ts';
import { auditRoutes } from './routes/audit.ts';
import { brandRoutes, providerBrandRoutes } from './routes/brand.ts';
import { eventsRoute } from './routes/events.ts';
import { homeRoute } from './routes/home.ts';
import { keyRoutes } from './routes/keys.ts';
import { docsExamplesRoute, kindsRoute } from './routes/kinds.ts';
import { linkRoutes } from './routes/links.ts';
import { memberRoutes } from './routes/members.ts';
import { numberBulkRoutes, numberListRoutes } from './routes/number-list.ts';
import { numberRoutes, operatorNumberRoutes } from './routes/numbers.ts';
import { accountBulkRoute } from './routes/operator/account-bulk.ts';
import { accountImportRoutes } from './routes/operator/account-import.ts';
import { accountListRoutes } from './routes/operator/account-list.ts';
import { operatorAccountRoutes } from './routes/operator/accounts.ts';
import { healthRoute } from './routes/operator/health.ts';
import { operatorInvitationRoutes } from './routes/operator/invitations.ts';
import { numberImportRoute } from './routes/operator/number-import.ts';
import { ownerMailRoute } from './routes/operator/owner-mail.ts';
import { planRoutes } from './routes/operator/plans.ts';
import { providerRoutes } from './routes/operator/providers.ts';
import { userRoutes } from './routes/operator/users.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { scanLinkRoutes } from './routes/scan-links.ts';
import { searchRoute } from './routes/search.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { startRoute } from './routes/start.ts';
import { customerUsageRoutes, usageRoutes } from './routes/usage.ts';

export { createMail, type Mail } from './mail.ts';
export { portalPath } from './person.ts';
export type { PortalOptions } from './portal-options.ts';
export type { Passwords } from './sign-in/better-auth.ts';
export { resealTwoFactors } from './sign-in/secrets.ts';
export { createSignIn } from './sign-in/sign-in.ts';

const mount: Mount = { prefix: '/portal/api', callers: 'portal' };

/** The portal: its pages, its sign-in and its own JSON endpoints. */
export function portal(server: FastifyInstance, options: PortalOptions): void {
  server.decorateRequest('visitor', null as never);
  pages(server, options);
  noSuchPage(server, options);
  for (const routes of [
    brandRoutes,
    signInRoutes,
    linkRoutes,
    sessionRoutes,
    startRoute,
    homeRoute,
    docsExamplesRoute,
    kindsRoute,
    searchRoute,
    eventsRoute,
    // Of the acting account.
    keyRoutes,
    accountRoutes,
    usageRoutes,
    activityRoutes,
    numberListRoutes,
    numberBulkRoutes,
    numberRoutes,
    scanLinkRoutes,
    memberRoutes,
    // Also for those who administer accounts.
    auditRoutes,
    alertRoutes,
    providerRoutes,
    providerBrandRoutes,
    accountListRoutes,
    accountBulkRoute,
    ownerMailRoute,
    accountImportRoutes,
    operatorAccountRoutes,
    customerUsageRoutes,
    planRoutes,
    userRoutes,
    operatorInvitationRoutes,
    operatorNumberRoutes,
    numberImportRoute,
    healthRoute,
  ])
    routes(server, options);
  // As those of the API, with the session in the place of the key.
  for (const kind of allKinds) sendRoute(server, options, kind, mount);
  numbersCheckRoute(server, options, mount);
  if (options.sandbox !== null) sandboxRoutes(server, options, options.sandbox);
}
