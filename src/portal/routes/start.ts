import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { placeInEvents } from '../live/follow.ts';
import { eventScopeOf } from '../live/translation.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { PortalStart } from '../wire/home.ts';
import { firstSteps, operatorSteps } from './account.ts';
import { homeView } from './home.ts';
import { sessionView } from './session.ts';

const query = z.object({ home: z.literal('true').optional() });

/** GET /portal/api/start: what the page that is opened first needs, in one answer, because every further one costs a slow line a round trip. */
export function startRoute(server: FastifyInstance, options: PortalOptions): void {
  endpoint(server, 'GET /portal/api/start', { onRequest: signedIn(options), query }, async (request): Promise<PortalStart> => {
    // Before anything is read, so that what changes meanwhile comes as an event.
    const scope = eventScopeOf(request.visitor);
    const events = scope === null ? null : placeInEvents(options.feed, scope);
    const [session, home] = await Promise.all([
      sessionView(options, request),
      request.query.home === undefined ? null : homeStart(options, request),
    ]);
    return { session, home, events };
  });
}

export async function homeStart(options: PortalOptions, request: FastifyRequest) {
  const { acting, places } = request.visitor;
  const [view, own, operator] = await Promise.all([
    homeView(options, request),
    acting === null ? null : firstSteps(options, acting.accountId),
    places.some(({ role }) => role === 'operator') ? operatorSteps(options) : null,
  ]);
  return { view, first_steps: own, operator_steps: operator };
}
