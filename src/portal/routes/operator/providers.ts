import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  bounds,
  createProvider,
  listPlans,
  type ProviderSummary,
  providerSorts,
  selectProviderPage,
  selectProviderSummaries,
  updateProvider,
} from '../../../accounts/index.ts';
import { GatewayError } from '../../../core/index.ts';
import { succeed } from '../../../http/index.ts';
import { selectAdmins } from '../../../people/index.ts';
import { name, search, wholeNumber } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { listRoutes } from '../../listing/list.ts';
import { memberView } from '../../people-views.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, providerInReach, reachOf } from '../../reach.ts';
import { iso } from '../../times.ts';
import type { ProviderDetail, ProviderView } from '../../wire/index.ts';

const terms = {
  number_capacity: wholeNumber(bounds.numberCapacity).nullish(),
  /** Name or id. */
  default_plan: z.string().min(1).max(100).nullable().optional(),
};
const status = z.enum(['active', 'suspended']);
const newProvider = z.object({ name, ...terms });
const change = z.object({ name: name.optional(), status: status.optional(), ...terms });

/** What only an operator may change. */
const operatorsOnly = ['name', 'status', 'number_capacity'] as const;

/** /portal/api/operator/providers: resellers, for operators; their admins see their own and choose its default plan. */
export function providerRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: false });
  const alsoAdmins = administers(options, { providerAdmins: true });

  listRoutes(server, options, {
    path: '/portal/api/operator/providers',
    file: 'providers',
    sorts: providerSorts,
    ids: 'text',
    usual: 'created',
    filters: { search, state: status.optional() },
    onRequest: [alsoAdmins],
    read: (request, { search, state }, part) => selectProviderPage(store.db, { ...reachOf(request.visitor), search, state }, part),
    view: (_request, rows) => rows.map(providerView),
    idOf: ({ id }) => id,
    columns: {
      provider_id: (provider) => provider.provider_id,
      name: (provider) => provider.name,
      status: (provider) => provider.status,
      accounts: (provider) => provider.accounts,
      numbers: (provider) => provider.numbers,
      number_capacity: (provider) => provider.number_capacity,
      default_plan_id: (provider) => provider.default_plan_id,
      created_at: (provider) => provider.created_at,
    },
  });

  server.get<{ Params: { id: string } }>('/portal/api/operator/providers/:id', { onRequest: alsoAdmins }, async (request, reply) => {
    const provider = await summaryOf(request);
    const admins = await selectAdmins(store.db, provider.id);
    return succeed(request, reply, { ...providerView(provider), admins: admins.map(memberView) } satisfies ProviderDetail);
  });

  server.post<{ Body: z.output<typeof newProvider> }>(
    '/portal/api/operator/providers',
    { schema: { body: newProvider }, onRequest },
    async (request, reply) => {
      const { name, number_capacity, default_plan } = request.body;
      await refuseUnknownPlan(default_plan);
      const act = actOf(request, clock.now());
      const provider = await fromOperatorInputLater(() =>
        createProvider(store, { name, numberCapacity: number_capacity, defaultPlan: default_plan }, act),
      );
      return succeed(request, reply, providerView({ ...provider, accounts: 0, numbers: 0 }));
    },
  );

  server.patch<{ Params: { id: string }; Body: z.output<typeof change> }>(
    '/portal/api/operator/providers/:id',
    { schema: { body: change }, onRequest: alsoAdmins },
    async (request, reply) => {
      const known = await summaryOf(request);
      const { name, status, number_capacity, default_plan } = request.body;
      for (const field of operatorsOnly) {
        if (reachOf(request.visitor).providerIds !== null && request.body[field] !== undefined)
          throw new GatewayError('forbidden', `Only an operator may set ${field}.`, { field });
      }
      await refuseUnknownPlan(default_plan);
      const act = actOf(request, clock.now());
      const provider = await fromOperatorInputLater(() =>
        updateProvider(store, known.id, { name, status, numberCapacity: number_capacity, defaultPlan: default_plan }, act),
      );
      return succeed(request, reply, providerView({ ...known, ...provider }));
    },
  );

  /** The provider, within reach, with what belongs to it. */
  async function summaryOf(request: FastifyRequest<{ Params: { id: string } }>): Promise<ProviderSummary> {
    const { id } = await providerInReach(options, request, request.params.id);
    const [summary] = await selectProviderSummaries(store.db, [id]);
    if (summary === undefined) throw notThere('provider');
    return summary;
  }

  /** So that the field is named. */
  async function refuseUnknownPlan(plan: string | null | undefined): Promise<void> {
    if (plan != null && !(await listPlans(store)).some((one) => one.name === plan || one.id === plan.toLowerCase()))
      throw new GatewayError('invalid_request', 'default_plan must be the name or id of a plan.', { field: 'default_plan' });
  }
}

function providerView({ id, created_at, ...provider }: ProviderSummary): ProviderView {
  const { name, status, number_capacity, default_plan_id, accounts, numbers } = provider;
  return { provider_id: id, name, status, number_capacity, default_plan_id, accounts, numbers, created_at: iso(created_at) };
}
