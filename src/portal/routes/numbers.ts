import type { FastifyInstance } from 'fastify';
import { noInstance } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { boundFor } from '../bounds.ts';
import { numberDetail } from '../number-detail.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

/** GET /portal/api/numbers/{instance_id}: one number with its history. */
export function numbersRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get<{ Params: { id: string } }>(
    '/portal/api/numbers/:id',
    { config: { atOwner: 'path' }, onRequest: actsForAccount(options) },
    async (request, reply) => {
      const { accountId, account } = actingFor(request);
      const session = options.sessions.find(accountId, request.params.id);
      if (session === undefined) throw noInstance(request);
      // Its last sends are looked for in the request log.
      if (request.forwarded === null) {
        const { userId } = request.visitor;
        await boundFor(options.limiter, reply, {
          what: 'searches',
          person: userId,
          personPerMinute: 120,
          place: accountId,
          placePerMinute: 300,
        });
      }
      const { id, label, phoneNumber, network, status, restriction, newChats, createdAt } = session;
      const known = { id, accountId, accountName: account.name, label, phoneNumber, status, restriction, newChats, createdAt };
      return succeed(request, reply, await numberDetail(options, { ...known, network: network.name }));
    },
  );
}
