import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findNumbers, type NumberSummary } from '../../../accounts/index.ts';
import { newChatsView, succeed } from '../../../http/index.ts';
import { networkNames } from '../../../networks/index.ts';
import { type Status, storedNewChats, storedRestriction } from '../../../sessions/index.ts';
import { search } from '../../fields.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { reachOf } from '../../reach.ts';
import { iso, isoOrNull } from '../../times.ts';
import type { NumberView } from '../../wire/index.ts';

const wanted = z.object({ status: z.enum(['open', 'connecting', 'close']).optional(), network: z.enum(networkNames).optional(), search });

/** GET /portal/api/operator/numbers: the numbers of all accounts in reach, with their live state. */
export function numberRoutes(server: FastifyInstance, options: PortalOptions): void {
  server.get<{ Querystring: z.output<typeof wanted> }>(
    '/portal/api/operator/numbers',
    { schema: { querystring: wanted }, onRequest: administers(options, { providerAdmins: true }) },
    async (request, reply) => {
      const { status, network, search } = request.query;
      // A number whose network is not enabled has no status: nothing connects it.
      const statuses = await options.sessions.statuses();
      const isWanted = (id: string) => status === undefined || (statuses.get(id) ?? 'close') === status;
      const { rows, total } = await findNumbers(options.store, { ...reachOf(request.visitor), network, search }, isWanted);
      return succeed(request, reply, {
        numbers: rows.map((row) => numberView(row, statuses.get(row.id) ?? 'close', options.clock.now())),
        total,
      });
    },
  );
}

function numberView(row: NumberSummary, status: Status, now: number): NumberView {
  const restriction = storedRestriction(row, now);
  return {
    instance_id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    label: row.label,
    phone_number: row.phone_number,
    network: row.network,
    status,
    restriction: restriction === null ? null : { reason: restriction.reason, until: isoOrNull(restriction.until) },
    new_chats: newChatsView(storedNewChats(row, now)),
    created_at: iso(row.created_at),
  };
}
