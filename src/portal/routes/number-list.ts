import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type NumberFilter, type NumberSummary, numberSorts, selectNumberPage, selectNumbers } from '../../accounts/index.ts';
import { networkNames } from '../../networks/index.ts';
import { numberReasons } from '../../sessions/index.ts';
import type { Hook } from '../endpoint.ts';
import { id, search } from '../fields.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../listing/bulk.ts';
import { columnsOf } from '../listing/csv.ts';
import { listRoutes } from '../listing/list.ts';
import { numberViews, shortName } from '../number-views.ts';
import { accountFromQuery, actingFor, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { accountInReach, providersAsked, reachOf } from '../reach.ts';
import type { NumberView } from '../wire/operator.ts';
import { ownerMails } from './operator/owner-mail.ts';

const filters = {
  search,
  status: z.enum(['open', 'connecting', 'close']).optional(),
  standing: z.enum(['connected', 'reconnecting', 'pairing', 'never_linked', 'needs_person']).optional(),
  network: z.enum(networkNames).optional(),
  reason: z.enum(['restricted', ...numberReasons]).optional(),
};
const ofAll = { ...filters, account_id: id.optional(), provider_id: id.optional() };

type Narrowing = Pick<NumberFilter, 'providerIds' | 'accountId'>;

const columns = {
  ...columnsOf<NumberView>('instance_id', 'label', 'phone_number', 'standing', 'reason', 'since', 'last_sent_at', 'network'),
  restriction: (number: NumberView) => number.restriction?.reason ?? null,
  restriction_until: (number: NumberView) => number.restriction?.until ?? null,
  ...columnsOf<NumberView>('account_id', 'account_name', 'created_at'),
};

/** GET /portal/api/operator/numbers of all accounts in reach, and GET /portal/api/numbers of the acting account; each with its live state. */
export function numberListRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, sessions } = options;

  listRoutes(server, options, {
    ...common(ofAll, [administers(options, { providerAdmins: true })], async (request, { account_id, provider_id }) => {
      const accountId = account_id === undefined ? undefined : (await accountInReach(options, request, account_id)).id;
      return { providerIds: providersAsked(request, provider_id), accountId };
    }),
    path: '/portal/api/operator/numbers',
    view: (request, rows) => numberViews(options, rows, { proxies: reachOf(request.visitor).providerIds === null }),
  });

  listRoutes(server, options, {
    ...common(filters, [accountFromQuery, actsForAccount(options)], async (request) => ({
      providerIds: null,
      accountId: actingFor(request).accountId,
    })),
    path: '/portal/api/numbers',
    view: (_request, rows) => numberViews(options, rows, { proxies: false }),
  });

  function common<Filters extends typeof filters>(
    narrowed: Filters,
    onRequest: readonly Hook[],
    narrow: (request: FastifyRequest, query: z.output<z.ZodObject<Filters>>) => Promise<Narrowing>,
  ) {
    return {
      file: 'numbers',
      sorts: numberSorts,
      usual: '-created' as const,
      filters: narrowed,
      onRequest,
      async read(request: FastifyRequest, query: z.output<z.ZodObject<Filters>>, part: Parameters<typeof selectNumberPage>[3]) {
        const { search, status, standing, network, reason } = query as z.output<z.ZodObject<typeof filters>>;
        const filter = { ...(await narrow(request, query)), search, status, standing, network, reason, now: clock.now() };
        return selectNumberPage(store.db, filter, sessions.states.connections(), part);
      },
      columns,
    };
  }
}

const change = z.object({ ...bulkFields, action: z.enum(['disconnect', 'delete']) });
const anyChange = z.object({ ...bulkFields, action: z.enum(['disconnect', 'delete', 'notify']) });

/**
 * POST /portal/api/operator/numbers/bulk and /portal/api/numbers/bulk: DELETE of an instance, with and without logout_only, for many; and for
 * administrators one mail to the owners of each account, about all of its numbers.
 */
export function numberBulkRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, sessions } = options;

  bulkRoute(server, options, {
    path: '/portal/api/operator/numbers/bulk',
    body: anyChange,
    onRequest: administers(options, { providerAdmins: true }),
    what: 'number',
    async intend(request, { ids, action }) {
      const rows = await selectNumbers(store.db, ids, reachOf(request.visitor));
      return action === 'notify' ? ownerMails(options, rows) : endings(rows, action);
    },
  });
  bulkRoute(server, options, {
    path: '/portal/api/numbers/bulk',
    body: change,
    onRequest: actsForAccount(options),
    what: 'number',
    async intend(request, { ids, action }) {
      const { accountId } = actingFor(request);
      const rows = await selectNumbers(store.db, ids, { providerIds: null });
      return endings(
        rows.filter(({ account_id }) => account_id === accountId),
        action,
      );
    },
  });

  async function endings(rows: readonly NumberSummary[], action: 'disconnect' | 'delete'): Promise<ReadonlyMap<string, Intention>> {
    const statuses = await sessions.states.statuses(rows.map(({ id }) => id));
    return new Map(rows.map((row) => [row.id, ending(row, action, row.linked === 0 && (statuses.get(row.id) ?? 'close') === 'close')]));
  }
}

function ending(row: NumberSummary, action: 'disconnect' | 'delete', unlinked: boolean): Intention {
  const { id, account_id } = row;
  const name = shortName({ ...row, instance_id: id });
  if (action === 'disconnect' && unlinked) return { name, work: reason('nothing_to_do', 'It is not linked.') };
  const query = action === 'disconnect' ? '?logout_only=true' : '';
  return { name, work: [{ method: 'DELETE', url: `/v1/instances/${id}${query}`, accountId: account_id }] };
}
