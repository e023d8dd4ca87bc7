import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bounds, createProvider, type ProviderSummary, summariseProviders, updateProvider } from '../../../accounts/index.ts';
import { succeed } from '../../../http/index.ts';
import { name, wholeNumber } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere } from '../../reach.ts';
import { iso } from '../../times.ts';
import type { ProviderView } from '../../wire/index.ts';

const terms = { number_capacity: wholeNumber(bounds.numberCapacity).nullish() };
const newProvider = z.object({ name, ...terms });
const change = z.object({ name: name.optional(), status: z.enum(['active', 'suspended']).optional(), ...terms });

/** /portal/api/operator/providers: resellers, for operators. */
export function providerRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: false });

  server.get('/portal/api/operator/providers', { onRequest }, async (request, reply) =>
    succeed(request, reply, { providers: (await summariseProviders(store)).map(providerView) }),
  );

  server.post<{ Body: z.output<typeof newProvider> }>(
    '/portal/api/operator/providers',
    { schema: { body: newProvider }, onRequest },
    async (request, reply) => {
      const { name, number_capacity } = request.body;
      const act = actOf(request, clock.now());
      const provider = await fromOperatorInputLater(() => createProvider(store, { name, numberCapacity: number_capacity }, act));
      return succeed(request, reply, providerView({ ...provider, accounts: 0, numbers: 0 }));
    },
  );

  server.patch<{ Params: { id: string }; Body: z.output<typeof change> }>(
    '/portal/api/operator/providers/:id',
    { schema: { body: change }, onRequest },
    async (request, reply) => {
      const id = request.params.id.toLowerCase();
      const known = (await summariseProviders(store)).find((provider) => provider.id === id);
      if (known === undefined) throw notThere('provider');
      const { name, status, number_capacity } = request.body;
      const act = actOf(request, clock.now());
      const provider = await fromOperatorInputLater(() =>
        updateProvider(store, id, { name, status, numberCapacity: number_capacity }, act),
      );
      return succeed(request, reply, providerView({ ...known, ...provider }));
    },
  );
}

function providerView({ id, name, status, number_capacity, accounts, numbers, created_at }: ProviderSummary): ProviderView {
  return { provider_id: id, name, status, number_capacity, accounts, numbers, created_at: iso(created_at) };
}
