import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type NumberSummary, selectNumbers, showAccount } from '../../accounts/index.ts';
import { iso, isoOrNull, noInstance } from '../../core/index.ts';
import { selectOwners } from '../../people/index.ts';
import { budgetBounds, chatBudgetView, type Session, setProxy, storedBudget, storedNumber } from '../../sessions/index.ts';
import { boundsSearches } from '../bounds.ts';
import { endpoint } from '../endpoint.ts';
import { isId, proxyAddress, wholeNumber } from '../fields.ts';
import { numberDetail, numberViews } from '../number-views.ts';
import { actingFor, actOf, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere, reachOf } from '../reach.ts';
import type { PairingView } from '../wire/live.ts';
import type { AnyNumberDetail } from '../wire/operator.ts';

const { perDay, start, growthPercent } = budgetBounds;
const budgetChange = z.object({
  chat_budget: z
    .object({
      per_day: wholeNumber(perDay),
      warm_up: z.object({ start: wholeNumber(start), growth_percent: wholeNumber(growthPercent) }).nullish(),
    })
    .nullable(),
});
const proxyChange = z.object({ proxy: proxyAddress.nullable() });

/** One number of the acting account, with its history; its budget of new chats, which its owners set; and how long the code that it shows lives. */
export function numberRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { sessions, clock, limiter } = options;
  const config = { atOwner: 'path' } as const;
  const signed = actsForAccount(options);

  // Its last sends are looked for in the request log.
  const ofDetail = { config, onRequest: [signed, boundsSearches(limiter)] };
  endpoint(server, 'GET /portal/api/numbers/:id', ofDetail, async (request) => {
    const { accountId, account } = actingFor(request);
    const session = own(request, request.params.id);
    const { id, label, phoneNumber, network, status, restriction, newChats, chatBudget, createdAt } = session;
    const known = { id, accountId, accountName: account.name, label, phoneNumber, status, restriction, newChats, chatBudget, createdAt };
    return numberDetail(options, request, { ...known, network: network.name });
  });

  const ofBudget = { config, body: budgetChange, onRequest: actsForAccount(options, ['operator', 'provider_admin', 'owner']) };
  endpoint(server, 'PATCH /portal/api/numbers/:id', ofBudget, async (request) => {
    const session = own(request, request.params.id);
    const asked = request.body.chat_budget;
    const warmUp = asked?.warm_up == null ? null : { start: asked.warm_up.start, growthPercent: asked.warm_up.growth_percent };
    const budget = asked === null ? null : { perDay: asked.per_day, warmUp };
    await sessions.setChatBudget(session, budget, actOf(request, clock.now()).actor);
    return { instance_id: session.id, chat_budget: chatBudgetView(budget) };
  });

  endpoint(server, 'GET /portal/api/pairings/:id', { config, onRequest: signed }, (request): PairingView => {
    const { id, accountId, attempt } = own(request, request.params.id);
    return {
      instance_id: id,
      account_id: accountId,
      code_shown_at: isoOrNull(attempt?.shownAt ?? null),
      code_expires_at: isoOrNull(attempt?.expiresAt ?? null),
      told_at: iso(clock.now()),
    };
  });

  function own(request: FastifyRequest, id: string): Session {
    const session = sessions.find(actingFor(request).accountId, id);
    if (session === undefined) throw noInstance(request);
    return session;
  }
}

/** One number of any account in reach, and what an operator sets on it. */
export function operatorNumberRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, vault, clock, sessions } = options;

  const ofDetail = { onRequest: administers(options, { providerAdmins: true }) };
  endpoint(server, 'GET /portal/api/operator/numbers/:id', ofDetail, async (request): Promise<AnyNumberDetail> => {
    const row = await existing(request.params.id, reachOf(request.visitor).providerIds);
    const status = (await sessions.states.statuses([row.id])).get(row.id) ?? 'close';
    const known = { ...storedNumber(row, clock.now()), accountName: row.account_name, status, chatBudget: storedBudget(row) };
    const [detail, account, people] = await Promise.all([
      numberDetail(options, request, known),
      showAccount(store, row.account_id),
      selectOwners(store.db, [row.account_id]),
    ]);
    const owners = people.map(({ id, email }) => ({ user_id: id, email }));
    return { ...detail, owners, suspended: account.status === 'suspended' || account.provider_status === 'suspended' };
  });

  const ofProxy = { onRequest: administers(options, { providerAdmins: false }), body: proxyChange };
  endpoint(server, 'PATCH /portal/api/operator/numbers/:id', ofProxy, async (request) => {
    const { id } = await existing(request.params.id);
    await setProxy({ store, vault }, id, request.body.proxy, actOf(request, clock.now()));
    const [view] = await numberViews(options, [await existing(id)], { proxies: true });
    if (view === undefined) throw notThere('number');
    return view;
  });

  async function existing(asked: string, providerIds: readonly string[] | null = null): Promise<NumberSummary> {
    const [number] = isId(asked) ? await selectNumbers(store.db, [asked.toLowerCase()], { providerIds }) : [];
    if (number === undefined) throw notThere('number');
    return number;
  }
}
