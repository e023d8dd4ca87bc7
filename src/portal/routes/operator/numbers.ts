import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findNumbers, type NumberSummary } from '../../../accounts/index.ts';
import { newChatsView, succeed } from '../../../http/index.ts';
import { networkNames } from '../../../networks/index.ts';
import { type Session, storedNewChats, storedRestriction } from '../../../sessions/index.ts';
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
      const sessions = new Map(options.sessions.all().map((session) => [session.id, session]));
      const isWanted = (id: string) => status === undefined || statusOf(sessions.get(id)) === status;
      const { rows, total } = await findNumbers(options.store, { ...reachOf(request.visitor), network, search }, isWanted);
      return succeed(request, reply, { numbers: rows.map((row) => numberView(row, sessions.get(row.id), options.clock.now())), total });
    },
  );
}

/** A number whose network is not enabled has no session: nothing connects it. */
const statusOf = (session: Session | undefined) => session?.status ?? 'close';

function numberView(row: NumberSummary, session: Session | undefined, now: number): NumberView {
  const restriction = session === undefined ? storedRestriction(row, now) : session.restriction;
  return {
    instance_id: row.id,
    account_id: row.account_id,
    account_name: row.account_name,
    label: session === undefined ? row.label : session.label,
    phone_number: session === undefined ? row.phone_number : session.phoneNumber,
    network: row.network,
    status: statusOf(session),
    restriction: restriction === null ? null : { reason: restriction.reason, until: isoOrNull(restriction.until) },
    new_chats: newChatsView(session === undefined ? storedNewChats(row, now) : session.newChats),
    created_at: iso(row.created_at),
  };
}
