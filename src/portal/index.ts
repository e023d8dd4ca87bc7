import type { FastifyInstance } from 'fastify';
import { noSuchPage } from './no-such-page.ts';
import { pages } from './pages.ts';
import type { PortalOptions } from './portal-options.ts';
import { accountRoutes } from './routes/account.ts';
import { activityRoutes } from './routes/activity.ts';
import { alertRoutes } from './routes/alerts.ts';
import { auditRoutes } from './routes/audit.ts';
import { brandRoutes } from './routes/brand.ts';
import { browserRoutes } from './routes/browsers.ts';
import { docsExamplesRoute } from './routes/docs-examples.ts';
import { eventsRoute } from './routes/events.ts';
import { formerRoutes } from './routes/former.ts';
import { homeRoute } from './routes/home.ts';
import { keyRoutes } from './routes/keys.ts';
import { kindsRoute } from './routes/kinds.ts';
import { languageRoute } from './routes/language.ts';
import { linkRoutes } from './routes/links.ts';
import { memberRoutes } from './routes/members.ts';
import { numberBulkRoutes } from './routes/number-bulk.ts';
import { numberListRoutes } from './routes/number-list.ts';
import { numbersRoute } from './routes/numbers.ts';
import { operatorRoutes } from './routes/operator.ts';
import { pairingsRoute } from './routes/pairings.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { sandboxFilesRoute } from './routes/sandbox-files.ts';
import { searchRoute } from './routes/search.ts';
import { sendingRoutes } from './routes/sending.ts';
import { sessionRoute } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { usageRoutes } from './routes/usage.ts';

export { createMail, type Mail } from './mail.ts';
export type { PortalOptions } from './portal-options.ts';
export { portalPath } from './portal-path.ts';
export type { Passwords } from './sign-in/better-auth.ts';
export { resealTwoFactors } from './sign-in/secrets.ts';
export { createSignIn } from './sign-in/sign-in.ts';

/** The portal: its pages, its sign-in and its own JSON endpoints. */
export function portal(server: FastifyInstance, options: PortalOptions): void {
  server.decorateRequest('visitor', null as never);
  pages(server, options);
  noSuchPage(server, options);
  brandRoutes(server, options);
  signInRoutes(server, options);
  linkRoutes(server, options);
  sessionRoute(server, options);
  languageRoute(server, options);
  homeRoute(server, options);
  docsExamplesRoute(server, options);
  keyRoutes(server, options);
  accountRoutes(server, options);
  usageRoutes(server, options);
  kindsRoute(server, options);
  sendingRoutes(server, options);
  activityRoutes(server, options);
  searchRoute(server, options);
  pairingsRoute(server, options);
  numberListRoutes(server, options);
  numberBulkRoutes(server, options);
  numbersRoute(server, options);
  if (options.sandbox !== null) {
    sandboxRoutes(server, options, options.sandbox);
    sandboxFilesRoute(server, options, options.sandbox);
  }
  eventsRoute(server, options);
  memberRoutes(server, options);
  browserRoutes(server, options);
  auditRoutes(server, options);
  alertRoutes(server, options);
  formerRoutes(server, options);
  operatorRoutes(server, options);
}
