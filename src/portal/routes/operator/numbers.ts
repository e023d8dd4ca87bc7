import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findNumbers, type NumberSummary } from '../../../accounts/index.ts';
import { newChatsView, succeed } from '../../../http/index.ts';
import { networkNames } from '../../../networks/index.ts';
import { type Status, setProxy, storedNewChats, storedProxy, storedRestriction } from '../../../sessions/index.ts';
import { isId, proxyAddress, search } from '../../fields.ts';
import { numberDetail } from '../../number-detail.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, reachOf } from '../../reach.ts';
import { iso, isoOrNull } from '../../times.ts';
import type { NumberView } from '../../wire/index.ts';

const wanted = z.object({
  status: z.enum(['open', 'connecting', 'close']).optional(),
  network: z.enum(networkNames).optional(),
  search,
  standing: z.enum(['needs_person', 'never_linked']).optional(),
});
const change = z.object({ proxy: proxyAddress.nullable() });

/** /portal/api/operator/numbers: the numbers of all accounts in reach with their live state, and what an operator sets on one. */
export function numberRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, vault, clock, sessions } = options;

  server.get<{ Querystring: z.output<typeof wanted> }>(
    '/portal/api/operator/numbers',
    { schema: { querystring: wanted }, onRequest: administers(options, { providerAdmins: true }) },
    async (request, reply) => {
      const { status, standing, network, search } = request.query;
      // A number whose network is not enabled has no status: nothing connects it.
      const statuses = await sessions.statuses();
      const isWanted = (id: string) => status === undefined || (statuses.get(id) ?? 'close') === status;
      const { rows, total } = await findNumbers(store, { ...reachOf(request.visitor), network, search, standing }, isWanted);
      return succeed(request, reply, {
        numbers: rows.map((row) => view(request, row, statuses.get(row.id))),
        total,
      });
    },
  );

  server.get<{ Params: { id: string } }>(
    '/portal/api/operator/numbers/:id',
    { onRequest: administers(options, { providerAdmins: true }) },
    async (request, reply) => {
      const row = await existing(request.params.id, reachOf(request.visitor).providerIds);
      const now = clock.now();
      const number = {
        id: row.id,
        accountId: row.account_id,
        accountName: row.account_name,
        label: row.label,
        phoneNumber: row.phone_number,
        network: row.network,
        status: (await sessions.statuses()).get(row.id) ?? 'close',
        restriction: storedRestriction(row, now),
        newChats: storedNewChats(row, now),
        createdAt: row.created_at,
      };
      return succeed(request, reply, await numberDetail(options, number));
    },
  );

  server.patch<{ Params: { id: string }; Body: z.output<typeof change> }>(
    '/portal/api/operator/numbers/:id',
    { schema: { body: change }, onRequest: administers(options, { providerAdmins: false }) },
    async (request, reply) => {
      const { id } = await existing(request.params.id);
      await setProxy({ store, vault }, id, request.body.proxy, actOf(request, clock.now()));
      return succeed(request, reply, view(request, await existing(id), (await sessions.statuses()).get(id)));
    },
  );

  async function existing(asked: string, providerIds: readonly string[] | null = null): Promise<NumberSummary> {
    const id = asked.toLowerCase();
    const { rows } = isId(id) ? await findNumbers(store, { providerIds, search: id }, (one) => one === id) : { rows: [] };
    const [number] = rows;
    if (number === undefined) throw notThere('number');
    return number;
  }

  function view({ visitor }: FastifyRequest, row: NumberSummary, status: Status | undefined): NumberView {
    const toOperator = reachOf(visitor).providerIds === null;
    return { ...numberView(row, status ?? 'close', clock.now()), proxy: toOperator ? storedProxy(vault, row) : null };
  }
}

function numberView(row: NumberSummary, status: Status, now: number): Omit<NumberView, 'proxy'> {
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
