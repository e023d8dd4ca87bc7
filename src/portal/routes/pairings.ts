import type { FastifyInstance } from 'fastify';
import { noInstance } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { iso, isoOrNull } from '../times.ts';
import type { PairingView } from '../wire/index.ts';

/** GET /portal/api/pairings/{instance_id}: how long the code that is shown right now lives. */
export function pairingsRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get<{ Params: { id: string } }>(
    '/portal/api/pairings/:id',
    { config: { atOwner: 'path' }, onRequest: actsForAccount(options) },
    async (request, reply) => {
      const session = options.sessions.find(actingFor(request).accountId, request.params.id);
      if (session === undefined) throw noInstance(request);
      const view: PairingView = {
        instance_id: session.id,
        account_id: session.accountId,
        code_shown_at: isoOrNull(session.attempt?.shownAt ?? null),
        code_expires_at: isoOrNull(session.attempt?.expiresAt ?? null),
        told_at: iso(options.clock.now()),
      };
      return succeed(request, reply, view);
    },
  );
}
