import type { FastifyInstance } from 'fastify';
import { succeed } from '../../http/index.ts';
import { endOtherSessions } from '../../people/index.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';
import type { SignedInBrowser } from '../wire/index.ts';

/** How many are shown; the newest. */
const mostShown = 100;

/** /portal/api/browsers: where the person is signed in, and signing out there. */
export function browserRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { signIn, store, clock } = options;
  const onRequest = signedIn(options);

  server.get('/portal/api/browsers', { onRequest }, async (request, reply) => {
    const { userId, sessionId } = request.visitor;
    const sessions = (await signIn.sessions(userId)).toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    const browsers: SignedInBrowser[] = sessions.slice(0, mostShown).map(({ id, userAgent, address, createdAt, updatedAt }) => ({
      session_id: id,
      user_agent: userAgent,
      ip_address: address,
      created_at: createdAt.toISOString(),
      last_seen_at: updatedAt.toISOString(),
      current: id === sessionId,
    }));
    return succeed(request, reply, { browsers });
  });

  server.delete('/portal/api/browsers/others', { onRequest }, async (request, reply) => {
    const { userId, sessionId } = request.visitor;
    return succeed(request, reply, { ended: await endOtherSessions(store.db, userId, sessionId, clock.now()) });
  });

  server.delete<{ Params: { id: string } }>('/portal/api/browsers/:id', { onRequest }, async (request, reply) => {
    const id = request.params.id.toLowerCase();
    if (!(await signIn.endSession(request.visitor.userId, id))) throw notThere('session');
    return succeed(request, reply, { session_id: id });
  });
}
