import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import { z } from 'zod';
import { type NumberFilter, type NumberSummary, numberSorts, selectNumberPage } from '../../accounts/index.ts';
import { networkNames } from '../../networks/index.ts';
import { restrictionReasons } from '../../sessions/index.ts';
import { accountFromQuery } from '../account-from-query.ts';
import { id, search } from '../fields.ts';
import { listRoutes } from '../listing/list.ts';
import { numberViews } from '../number-view.ts';
import { actingFor, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { accountInReach, notThere, reachOf } from '../reach.ts';
import type { NumberView } from '../wire/index.ts';

const filters = {
  search,
  status: z.enum(['open', 'connecting', 'close']).optional(),
  standing: z.enum(['connected', 'reconnecting', 'pairing', 'never_linked', 'needs_person']).optional(),
  network: z.enum(networkNames).optional(),
  restriction: z.enum(['any', ...restrictionReasons]).optional(),
};
const ofAll = { ...filters, account_id: id.optional(), provider_id: id.optional() };

type Narrowing = Pick<NumberFilter, 'providerIds' | 'accountId'>;

const columns = {
  instance_id: (number: NumberView) => number.instance_id,
  label: (number: NumberView) => number.label,
  phone_number: (number: NumberView) => number.phone_number,
  standing: (number: NumberView) => number.standing,
  network: (number: NumberView) => number.network,
  restriction: (number: NumberView) => number.restriction?.reason ?? null,
  restriction_until: (number: NumberView) => number.restriction?.until ?? null,
  account_id: (number: NumberView) => number.account_id,
  account_name: (number: NumberView) => number.account_name,
  created_at: (number: NumberView) => number.created_at,
};

/** GET /portal/api/operator/numbers of all accounts in reach, and GET /portal/api/numbers of the acting account; each with its live state. */
export function numberListRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, sessions } = options;

  listRoutes(server, options, {
    ...common(ofAll, [administers(options, { providerAdmins: true })], async (request, { account_id, provider_id }) => {
      const { providerIds } = reachOf(request.visitor);
      const provider = provider_id?.toLowerCase();
      if (provider !== undefined && providerIds !== null && !providerIds.includes(provider)) throw notThere('provider');
      const accountId = account_id === undefined ? undefined : (await accountInReach(options, request, account_id)).id;
      return { providerIds: provider === undefined ? providerIds : [provider], accountId };
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
    onRequest: readonly (onRequestAsyncHookHandler | onRequestHookHandler)[],
    narrow: (request: FastifyRequest, query: z.output<z.ZodObject<Filters>>) => Promise<Narrowing>,
  ) {
    return {
      file: 'numbers',
      sorts: numberSorts,
      ids: 'text' as const,
      usual: '-created' as const,
      filters: narrowed,
      onRequest,
      async read(request: FastifyRequest, query: z.output<z.ZodObject<Filters>>, part: Parameters<typeof selectNumberPage>[3]) {
        const { search, status, standing, network, restriction } = query as z.output<z.ZodObject<typeof filters>>;
        const filter = { ...(await narrow(request, query)), search, status, standing, network, restriction, now: clock.now() };
        return selectNumberPage(store.db, filter, { links: sessions.states.links(), dialect: store.dialect }, part);
      },
      idOf: (number: NumberSummary) => number.id,
      columns,
    };
  }
}
