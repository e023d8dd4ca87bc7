import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import {
  createTarget,
  deliveriesShown,
  findDelivery,
  lastDeliveries,
  listDeliveries,
  listProblems,
  listTargets,
  problemsShown,
  removeTarget,
  replaceSecret,
  resendDelivery,
  type Target,
  testTarget,
  updateTarget,
} from '../../alerts/index.ts';
import { GatewayError } from '../../core/index.ts';
import { alertAddress, alertConditions, alertEvents, approvedAddress, quietFields, quietHoursOf } from '../alert-fields.ts';
import { deliveryView, payloadView, problemView, targetView } from '../alert-views.ts';
import { boundFor } from '../bounds.ts';
import { endpoint } from '../endpoint.ts';
import { id, isId } from '../fields.ts';
import { spoken } from '../language.ts';
import { actingFor, actOf, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere, providerInReach, reachOf } from '../reach.ts';
import type { NewAlertTargetView } from '../wire/alerts.ts';

const change = z.object({
  address: alertAddress.optional(),
  conditions: alertConditions.optional(),
  events: alertEvents.optional(),
  ...quietFields,
});
const newTarget = z.object({ kind: z.enum(['webhook', 'mail']), ...change.shape, address: alertAddress, provider_id: id.nullish() });
const page = z.object({ before: id.optional() });
const problemPage = page.extend({ state: z.enum(['open', 'ended'], { error: 'must be open or ended' }).default('open') });

type NewTargetBody = z.output<typeof newTarget>;

/** Where targets are kept: at an account, or at providers and the installation. */
interface Home {
  readonly path: string;
  readonly onRequest: onRequestAsyncHookHandler;
  within(request: FastifyRequest): Parameters<typeof listProblems>[1];
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
  async function inReach(request: FastifyRequest & { readonly params: { readonly id: string } }): Promise<Target> {
    const wanted = request.params.id.toLowerCase();
    const target = isId(wanted) ? (await listTargets(store, within(request))).find((one) => one.id === wanted) : undefined;
    if (target === undefined) throw notThere('target');
    if (target.provider_id !== null) await providerInReach(options, request, target.provider_id);
    return target;
  }

  /** A delivery of the target. Throws not_found. */
  async function deliveryOf(target: Target, wanted: string) {
    const deliveryId = wanted.toLowerCase();
    const delivery = isId(deliveryId) ? await findDelivery(store, deliveryId, target.id) : undefined;
    if (delivery === undefined) throw notThere('delivery');
    return delivery;
  }

  /** Counts what sends something at once. */
  const boundSending = (request: FastifyRequest, reply: FastifyReply, target: Target): Promise<void> =>
    boundFor(limiter, reply, 'alerts', { userId: request.visitor.userId, place: target.account_id ?? target.provider_id });

  endpoint(server, `GET ${path}`, { onRequest }, async (request) => {
    const targets = await listTargets(store, within(request));
    const last = await lastDeliveries(
      store,
      targets.map((target) => target.id),
    );
    return { targets: targets.map((target) => targetView(spoken(options, request), target, last.get(target.id))) };
  });

  endpoint(server, `GET ${path}/problems`, { onRequest, query: problemPage }, async (request) => {
    const { state, before } = request.query;
    const found = await listProblems(store, within(request), { ended: state === 'ended', before }, spoken(options, request));
    // A full page may be the last one; the next is empty then.
    const last = found?.length === problemsShown ? (found.at(-1)?.alert_id ?? null) : null;
    return { problems: found === null ? null : found.map(problemView), before: last };
  });

  endpoint(server, `POST ${path}`, { onRequest, body: newTarget }, async (request): Promise<NewAlertTargetView> => {
    const { kind, conditions, events, address, ...fields } = request.body;
    const asked = {
      of: await ofNew(request, request.body),
      kind,
      address: await approvedAddress(options, kind, address),
      conditions,
      events,
      quietHours: quietHoursOf(fields) ?? undefined,
    };
    const { target, secret } = await createTarget({ store, vault }, asked, actOf(request, clock.now()));
    return { ...targetView(spoken(options, request), target, undefined), secret };
  });

  endpoint(server, `PATCH ${path}/:id`, { onRequest, body: change }, async (request) => {
    const target = await inReach(request);
    const { address, conditions, events, ...fields } = request.body;
    const asked = {
      address: address === undefined ? undefined : await approvedAddress(options, target.kind, address),
      conditions,
      events,
      quietHours: quietHoursOf(fields),
    };
    const changed = await updateTarget(store, target.id, asked, actOf(request, clock.now()));
    return targetView(spoken(options, request), changed, (await lastDeliveries(store, [changed.id])).get(changed.id));
  });

  endpoint(server, `DELETE ${path}/:id`, { onRequest }, async (request) => {
    const target = await inReach(request);
    await removeTarget(store, target.id, actOf(request, clock.now()));
    return { target_id: target.id };
  });

  endpoint(server, `POST ${path}/:id/secret`, { onRequest }, async (request) => {
    const target = await inReach(request);
    return { target_id: target.id, secret: await replaceSecret({ store, vault }, target.id, actOf(request, clock.now())) };
  });

  endpoint(server, `POST ${path}/:id/test`, { onRequest }, async (request, reply) => {
    const target = await inReach(request);
    await boundSending(request, reply, target);
    return { delivery_id: await testTarget(store, target.id, clock.now()) };
  });

  endpoint(server, `GET ${path}/:id/deliveries`, { onRequest, query: page }, async (request) => {
    const target = await inReach(request);
    const rows = await listDeliveries(store, target.id, request.query.before);
    // A full page may be the last one; the next is empty then.
    const before = rows.length === deliveriesShown ? (rows.at(-1)?.id ?? null) : null;
    return { deliveries: rows.map((row) => deliveryView(spoken(options, request), row)), before };
  });

  endpoint(server, `GET ${path}/:id/deliveries/:deliveryId`, { onRequest }, async (request) => {
    const target = await inReach(request);
    const delivery = await deliveryOf(target, request.params.deliveryId);
    const brand = await options.brands.ofPlace({ accountId: target.account_id, providerId: target.provider_id });
    return payloadView(spoken(options, request), target.kind, delivery, brand);
  });

  endpoint(server, `POST ${path}/:id/deliveries/:deliveryId/resend`, { onRequest }, async (request, reply) => {
    const target = await inReach(request);
    const delivery = await deliveryOf(target, request.params.deliveryId);
    await boundSending(request, reply, target);
    await resendDelivery(store, delivery.id, clock.now());
    return { delivery_id: delivery.id };
  });
}
