import type { FastifyInstance } from 'fastify';
import { type Mount, numbersCheckRoute, sendRoute } from '../../http/index.ts';
import { allKinds } from '../../kinds/index.ts';
import type { PortalOptions } from '../portal-options.ts';

const portalMount: Mount = { prefix: '/portal/api', callers: 'portal' };

/** POST /portal/api/messages/{type} and /portal/api/numbers/check: as those of the API, with the session in the place of the key. */
export function sendingRoutes(server: FastifyInstance, options: PortalOptions): void {
  for (const kind of allKinds) sendRoute(server, options, kind, portalMount);
  numbersCheckRoute(server, options, portalMount);
}
