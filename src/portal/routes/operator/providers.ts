import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  bounds,
  createProvider,
  type ProviderSummary,
  providerSorts,
  providerView,
  selectProviderPage,
  selectProviderSummaries,
  updateProvider,
} from '../../../accounts/index.ts';
import { memberView, selectAdmins } from '../../../people/index.ts';
import { endpoint } from '../../endpoint.ts';
import { name, search, wholeNumber } from '../../fields.ts';
import { columnsOf } from '../../listing/csv.ts';
import { listRoutes } from '../../listing/list.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, operatorsAlone, providerInReach, reachOf } from '../../reach.ts';
import type { ProviderDetail, ProviderView } from '../../wire/operator.ts';

const terms = {
  number_capacity: wholeNumber(bounds.numberCapacity).nullish(),
  /** Name or id. */
  default_plan: z.string().min(1).max(100).nullable().optional(),
};
const status = z.enum(['active', 'suspended']);
const newProvider = z.object({ name, ...terms });
const change = z.object({ name: name.optional(), status: status.optional(), ...terms });

/** /portal/api/operator/providers: resellers, for operators; their admins see their own and choose its default plan. */
export function providerRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: false });
  const alsoAdmins = administers(options, { providerAdmins: true });

  listRoutes(server, options, {
    path: '/portal/api/operator/providers',
    file: 'providers',
    sorts: providerSorts,
    usual: 'created',
    filters: { search, state: status.optional() },
    onRequest: [alsoAdmins],
    read: (request, { search, state }, part) => selectProviderPage(store.db, { ...reachOf(request.visitor), search, state }, part),
    view: (_request, rows) => rows.map(summaryView),
    columns: columnsOf<ProviderView>(
      'provider_id',
      'name',
      'status',
      'accounts',
      'numbers',
      'number_capacity',
      'default_plan_id',
      'created_at',
    ),
  });

  endpoint(server, 'GET /portal/api/operator/providers/:id', { onRequest: alsoAdmins }, async (request): Promise<ProviderDetail> => {
    const provider = await summaryOf(request, request.params.id);
    const admins = await selectAdmins(store.db, provider.id);
    return { ...summaryView(provider), admins: admins.map(memberView) };
  });

  endpoint(server, 'POST /portal/api/operator/providers', { onRequest, body: newProvider }, async (request) => {
    const { name, number_capacity, default_plan } = request.body;
    const terms = { name, numberCapacity: number_capacity, defaultPlan: default_plan };
    const provider = await createProvider(store, terms, actOf(request, clock.now()));
    return summaryView({ ...provider, accounts: 0, numbers: 0 });
  });

  const ofChange = { onRequest: alsoAdmins, body: change };
  endpoint(server, 'PATCH /portal/api/operator/providers/:id', ofChange, async (request) => {
    const known = await summaryOf(request, request.params.id);
    operatorsAlone(request, request.body, ['name', 'status', 'number_capacity']);
    const { name, status, number_capacity, default_plan } = request.body;
    const terms = { name, status, numberCapacity: number_capacity, defaultPlan: default_plan };
    return summaryView({ ...known, ...(await updateProvider(store, known.id, terms, actOf(request, clock.now()))) });
  });

  /** The provider, within reach, with what belongs to it. */
  async function summaryOf(request: FastifyRequest, asked: string): Promise<ProviderSummary> {
    const { id } = await providerInReach(options, request, asked);
    const [summary] = await selectProviderSummaries(store.db, [id]);
    if (summary === undefined) throw notThere('provider');
    return summary;
  }
}

function summaryView({ accounts, numbers, ...provider }: ProviderSummary): ProviderView {
  return { ...providerView(provider), accounts, numbers };
}
