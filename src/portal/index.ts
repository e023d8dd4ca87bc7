import type { FastifyInstance } from 'fastify';
import { pages } from './pages.ts';
import { accountRoutes } from './routes/account.ts';
import { activityRoutes } from './routes/activity.ts';
import { auditRoutes } from './routes/audit.ts';
import { browserRoutes } from './routes/browsers.ts';
import { docsExamplesRoute } from './routes/docs-examples.ts';
import { eventsRoute } from './routes/events.ts';
import { keyRoutes } from './routes/keys.ts';
import { kindsRoute } from './routes/kinds.ts';
import { linkRoutes } from './routes/links.ts';
import { memberRoutes } from './routes/members.ts';
import { operatorRoutes } from './routes/operator/index.ts';
import { pairingsRoute } from './routes/pairings.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { sandboxFilesRoute } from './routes/sandbox-files.ts';
import { sendingRoutes } from './routes/sending.ts';
import { sessionRoute } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { usageRoutes } from './routes/usage.ts';
import type { PortalWorld } from './world.ts';

export { createMail, type Mail } from './mail.ts';
export { sessionPath } from './session-path.ts';
export type { Passwords } from './sign-in/better-auth.ts';
export { createSignIn } from './sign-in/sign-in.ts';
export type { PortalWorld } from './world.ts';

/** The portal: its pages, its sign-in and its own JSON endpoints. */
export function portal(server: FastifyInstance, world: PortalWorld): void {
  server.decorateRequest('visitor', null as never);
  pages(server, world.publicUrl);
  signInRoutes(server, world);
  linkRoutes(server, world);
  sessionRoute(server, world);
  docsExamplesRoute(server, world);
  keyRoutes(server, world);
  accountRoutes(server, world);
  usageRoutes(server, world);
  kindsRoute(server, world);
  sendingRoutes(server, world);
  activityRoutes(server, world);
  pairingsRoute(server, world);
  if (world.sandbox !== null) {
    sandboxRoutes(server, world, world.sandbox);
    sandboxFilesRoute(server, world, world.sandbox);
  }
  eventsRoute(server, world);
  memberRoutes(server, world);
  browserRoutes(server, world);
  auditRoutes(server, world);
  operatorRoutes(server, world);
}
