import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import {
  createTarget,
  deliveriesShown,
  lastDeliveries,
  listDeliveries,
  listTargets,
  removeTarget,
  replaceSecret,
  resendDelivery,
  type Target,
  testTarget,
  updateTarget,
} from '../../alerts/index.ts';
import { GatewayError } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import {
  alertAddress,
  alertConditions,
  alertEvents,
  approvedAddress,
  quietFields,
  quietHoursOf,
  refuseUntellable,
} from '../alert-fields.ts';
import { deliveryView, targetView } from '../alert-views.ts';
import { boundFor } from '../bounds.ts';
import { id, isId } from '../fields.ts';
import { fromOperatorInputLater } from '../input.ts';
import { spoken } from '../language.ts';
import { actingFor, actOf, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere, providerInReach, reachOf } from '../reach.ts';
import type { NewAlertTargetView } from '../wire/index.ts';

/** Tests and repetitions per minute: each sends something to somewhere. */
const perPerson = 10;
const perPlace = 20;

const change = z.object({
  address: alertAddress.optional(),
  conditions: alertConditions.optional(),
  events: alertEvents.optional(),
  ...quietFields,
});
const newTarget = z.object({
  kind: z.enum(['webhook', 'mail']),
  address: alertAddress,
  conditions: alertConditions.optional(),
  events: alertEvents.optional(),
  provider_id: id.nullish(),
  ...quietFields,
});
const page = z.object({ before: id.optional() });

interface OfTarget {
  Params: { id: string };
}

type NewTargetBody = z.output<typeof newTarget>;

/** Where targets are kept: at an account, or at providers and the installation. */
interface Home {
  readonly path: string;
  readonly onRequest: onRequestAsyncHookHandler;
  within(request: FastifyRequest): Parameters<typeof listTargets>[1];
  /** Whose target a new one is; throws when it may not be made. */
  ofNew(request: FastifyRequest, body: NewTargetBody): Promise<Parameters<typeof createTarget>[1]['of']>;
}

/** /portal/api/alerts of the acting account, for its owners; /portal/api/operator/alerts of providers and of the installation. */
export function alertRoutes(server: FastifyInstance, options: PortalOptions): void {
  routesAt(server, options, {
    path: '/portal/api/alerts',
    onRequest: actsForAccount(options, ['operator', 'provider_admin', 'owner']),
    within: (request) => ({ accountId: actingFor(request).accountId }),
    ofNew: async (request) => ({ accountId: actingFor(request).accountId }),
  });
  routesAt(server, options, {
    path: '/portal/api/operator/alerts',
    onRequest: administers(options, { providerAdmins: true }),
    within: (request) => reachOf(request.visitor),
    async ofNew(request, { provider_id }) {
      if (provider_id != null) return { providerId: (await providerInReach(options, request, provider_id)).id };
      if (reachOf(request.visitor).providerIds !== null) throw new GatewayError('forbidden', 'Name a provider (provider_id).');
      return 'all';
    },
  });
}

function routesAt(server: FastifyInstance, options: PortalOptions, { path, onRequest, within, ofNew }: Home): void {
  const { store, clock, vault, limiter } = options;

  /** The target in reach. Throws not_found, and account_suspended when its provider is suspended and something is to be changed. */
  async function inReach(request: FastifyRequest<OfTarget>): Promise<Target> {
    const wanted = request.params.id.toLowerCase();
    const target = isId(wanted) ? (await listTargets(store, within(request))).find((one) => one.id === wanted) : undefined;
    if (target === undefined) throw notThere('target');
    if (target.provider_id !== null) await providerInReach(options, request, target.provider_id);
    return target;
  }

  async function viewOf(request: FastifyRequest, target: Target) {
    return targetView(spoken(options, request), target, (await lastDeliveries(store, [target.id])).get(target.id));
  }

  /** Counts what sends something at once. */
  async function boundSending(request: FastifyRequest, reply: FastifyReply, target: Target): Promise<void> {
    await boundFor(limiter, reply, {
      what: 'alerts',
      person: request.visitor.userId,
      personPerMinute: perPerson,
      place: target.account_id ?? target.provider_id,
      placePerMinute: perPlace,
    });
  }

  server.get(path, { onRequest }, async (request, reply) => {
    const targets = await listTargets(store, within(request));
    const last = await lastDeliveries(
      store,
      targets.map((target) => target.id),
    );
    return succeed(request, reply, { targets: targets.map((target) => targetView(spoken(options, request), target, last.get(target.id))) });
  });

  server.post<{ Body: NewTargetBody }>(path, { schema: { body: newTarget }, onRequest }, async (request, reply) => {
    const { kind, conditions, events = [], address, ...fields } = request.body;
    refuseUntellable({ kind, conditions, events });
    const asked = {
      of: await ofNew(request, request.body),
      kind,
      address: await approvedAddress(options, kind, address),
      conditions,
      events,
      quietHours: quietHoursOf(fields) ?? undefined,
    };
    const { target, secret } = await fromOperatorInputLater(() => createTarget({ store, vault }, asked, actOf(request, clock.now())));
    const view: NewAlertTargetView = { ...targetView(spoken(options, request), target, undefined), secret };
    return succeed(request, reply, view);
  });

  server.patch<OfTarget & { Body: z.output<typeof change> }>(
    `${path}/:id`,
    { schema: { body: change }, onRequest },
    async (request, reply) => {
      const target = await inReach(request);
      const { address, conditions = target.conditions, events = target.events, ...fields } = request.body;
      refuseUntellable({ kind: target.kind, conditions, events });
      const asked = {
        address: address === undefined ? undefined : await approvedAddress(options, target.kind, address),
        conditions: request.body.conditions,
        events: request.body.events,
        quietHours: quietHoursOf(fields),
      };
      const changed = await fromOperatorInputLater(() => updateTarget(store, target.id, asked, actOf(request, clock.now())));
      return succeed(request, reply, await viewOf(request, changed));
    },
  );

  server.delete<OfTarget>(`${path}/:id`, { onRequest }, async (request, reply) => {
    const { id: targetId } = await inReach(request);
    await fromOperatorInputLater(() => removeTarget(store, targetId, actOf(request, clock.now())));
    return succeed(request, reply, { target_id: targetId });
  });

  server.post<OfTarget>(`${path}/:id/secret`, { onRequest }, async (request, reply) => {
    const { id: targetId } = await inReach(request);
    const secret = await fromOperatorInputLater(() => replaceSecret({ store, vault }, targetId, actOf(request, clock.now())));
    return succeed(request, reply, { target_id: targetId, secret });
  });

  server.post<OfTarget>(`${path}/:id/test`, { onRequest }, async (request, reply) => {
    const target = await inReach(request);
    await boundSending(request, reply, target);
    const delivery_id = await fromOperatorInputLater(() => testTarget(store, target.id, clock.now()));
    return succeed(request, reply, { delivery_id });
  });

  server.get<OfTarget & { Querystring: z.output<typeof page> }>(
    `${path}/:id/deliveries`,
    { schema: { querystring: page }, onRequest },
    async (request, reply) => {
      const target = await inReach(request);
      const rows = await listDeliveries(store, target.id, request.query.before);
      // A full page may be the last one; the next is empty then.
      const before = rows.length === deliveriesShown ? (rows.at(-1)?.id ?? null) : null;
      return succeed(request, reply, { deliveries: rows.map((row) => deliveryView(spoken(options, request), row)), before });
    },
  );

  server.post<{ Params: { id: string; deliveryId: string } }>(
    `${path}/:id/deliveries/:deliveryId/resend`,
    { onRequest },
    async (request, reply) => {
      const target = await inReach(request);
      const deliveryId = request.params.deliveryId.toLowerCase();
      await boundSending(request, reply, target);
      if (!isId(deliveryId)) throw notThere('delivery');
      await fromOperatorInputLater(() => resendDelivery(store, deliveryId, clock.now(), target.id));
      return succeed(request, reply, { delivery_id: deliveryId });
    },
  );
}
