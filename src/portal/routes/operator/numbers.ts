import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type NumberSummary, selectNumbers } from '../../../accounts/index.ts';
import { succeed } from '../../../http/index.ts';
import { setProxy, storedBudget, storedNewChats, storedRestriction } from '../../../sessions/index.ts';
import { isId, proxyAddress } from '../../fields.ts';
import { spoken } from '../../language.ts';
import { numberDetail } from '../../number-detail.ts';
import { numberView } from '../../number-view.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, reachOf } from '../../reach.ts';

const change = z.object({ proxy: proxyAddress.nullable() });

/** /portal/api/operator/numbers/{id}: one number of any account in reach, and what an operator sets on it. */
export function numberRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, vault, clock, sessions } = options;

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
        status: (await sessions.states.statusesOf([row.id])).get(row.id) ?? 'close',
        restriction: storedRestriction(row, now),
        newChats: storedNewChats(row, now),
        chatBudget: storedBudget(row),
        createdAt: row.created_at,
      };
      return succeed(request, reply, await numberDetail(options, number, spoken(options, request)));
    },
  );

  server.patch<{ Params: { id: string }; Body: z.output<typeof change> }>(
    '/portal/api/operator/numbers/:id',
    { schema: { body: change }, onRequest: administers(options, { providerAdmins: false }) },
    async (request, reply) => {
      const { id } = await existing(request.params.id);
      await setProxy({ store, vault }, id, request.body.proxy, actOf(request, clock.now()));
      return succeed(request, reply, await numberView(options, await existing(id), { proxies: true }));
    },
  );

  async function existing(asked: string, providerIds: readonly string[] | null = null): Promise<NumberSummary> {
    const [number] = isId(asked) ? await selectNumbers(store.db, [asked.toLowerCase()], { providerIds }) : [];
    if (number === undefined) throw notThere('number');
    return number;
  }
}
