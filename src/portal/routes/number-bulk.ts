import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { type NumberSummary, selectNumbers } from '../../accounts/index.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../listing/bulk.ts';
import { actingFor, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { reachOf } from '../reach.ts';

const body = z.object({ ...bulkFields, action: z.enum(['disconnect', 'delete']) });

/** POST /portal/api/operator/numbers/bulk and /portal/api/numbers/bulk: DELETE of an instance, with and without logout_only, for many. */
export function numberBulkRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, sessions } = options;

  route('/portal/api/operator/numbers/bulk', administers(options, { providerAdmins: true }), (request, ids) =>
    selectNumbers(store.db, ids, reachOf(request.visitor)),
  );
  route('/portal/api/numbers/bulk', actsForAccount(options), async (request, ids) => {
    const { accountId } = actingFor(request);
    return (await selectNumbers(store.db, ids, { providerIds: null })).filter((number) => number.account_id === accountId);
  });

  function route(
    path: string,
    onRequest: onRequestAsyncHookHandler,
    inReach: (request: FastifyRequest, ids: readonly string[]) => Promise<readonly NumberSummary[]>,
  ): void {
    bulkRoute(server, options, {
      path,
      body,
      onRequest,
      what: 'number',
      async intend(request, { ids, action }) {
        const rows = await inReach(request, ids);
        const statuses = await sessions.states.statusesOf(rows.map(({ id }) => id));
        return new Map(
          rows.map((row) => [row.id, intention(row, action, row.linked === 0 && (statuses.get(row.id) ?? 'close') === 'close')]),
        );
      },
    });
  }
}

function intention({ id, label, phone_number, account_id }: NumberSummary, action: 'disconnect' | 'delete', unlinked: boolean): Intention {
  const name = label ?? (phone_number === null ? id.slice(0, 8) : `+${phone_number}`);
  if (action === 'disconnect' && unlinked) return { name, work: reason('nothing_to_do', 'It is not linked.') };
  const query = action === 'disconnect' ? '?logout_only=true' : '';
  return { name, work: [{ method: 'DELETE', url: `/v1/instances/${id}${query}`, accountId: account_id }] };
}
