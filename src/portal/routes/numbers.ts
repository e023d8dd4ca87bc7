import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { noInstance } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { budgetBounds } from '../../sessions/index.ts';
import { boundsSearches } from '../bounds.ts';
import { wholeNumber } from '../fields.ts';
import { fromOperatorInputLater } from '../input.ts';
import { spoken } from '../language.ts';
import { chatBudgetView, numberDetail } from '../number-detail.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

const { perDay, start, growthPercent } = budgetBounds;
const change = z.object({
  chat_budget: z
    .object({
      per_day: wholeNumber(perDay),
      warm_up: z.object({ start: wholeNumber(start), growth_percent: wholeNumber(growthPercent) }).nullish(),
    })
    .nullable(),
});

/** GET /portal/api/numbers/{instance_id}: one number with its history. PATCH: its budget of new chats, by the account's owners. */
export function numbersRoute(server: FastifyInstance, options: PortalOptions): void {
  server.get<{ Params: { id: string } }>(
    '/portal/api/numbers/:id',
    // Its last sends are looked for in the request log.
    { config: { atOwner: 'path' }, onRequest: [actsForAccount(options), boundsSearches(options.limiter)] },
    async (request, reply) => {
      const { accountId, account } = actingFor(request);
      const session = options.sessions.find(accountId, request.params.id);
      if (session === undefined) throw noInstance(request);
      const { id, label, phoneNumber, network, status, restriction, newChats, chatBudget, createdAt } = session;
      const known = { id, accountId, accountName: account.name, label, phoneNumber, status, restriction, newChats, chatBudget, createdAt };
      return succeed(request, reply, await numberDetail(options, { ...known, network: network.name }, spoken(options, request)));
    },
  );

  server.patch<{ Params: { id: string }; Body: z.output<typeof change> }>(
    '/portal/api/numbers/:id',
    {
      schema: { body: change },
      config: { atOwner: 'path' },
      onRequest: actsForAccount(options, ['operator', 'provider_admin', 'owner']),
    },
    async (request, reply) => {
      const session = options.sessions.find(actingFor(request).accountId, request.params.id);
      if (session === undefined) throw noInstance(request);
      const asked = request.body.chat_budget;
      const warmUp = asked?.warm_up == null ? null : { start: asked.warm_up.start, growthPercent: asked.warm_up.growth_percent };
      const budget = asked === null ? null : { perDay: asked.per_day, warmUp };
      const { actor } = actOf(request, options.clock.now());
      await fromOperatorInputLater(() => options.sessions.setChatBudget(session, budget, actor));
      return succeed(request, reply, { instance_id: session.id, chat_budget: chatBudgetView(budget) });
    },
  );
}
