import type { FastifyInstance } from 'fastify';
import { type Door, numbersCheckRoute, sendRoute } from '../../http/index.ts';
import { allKinds } from '../../kinds/index.ts';
import type { PortalWorld } from '../world.ts';

const portalDoor: Door = { prefix: '/portal/api', callers: 'sessions' };

/** POST /portal/api/messages/{type} and /portal/api/numbers/check: as those of the API, with the session in the place of the key. */
export function sendingRoutes(server: FastifyInstance, world: PortalWorld): void {
  for (const kind of allKinds) sendRoute(server, world, kind, portalDoor);
  numbersCheckRoute(server, world, portalDoor);
}
