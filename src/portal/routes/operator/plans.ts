import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bounds, createPlan, listPlans, planChoice, selectDefaultPlan, setDefaultPlan, updatePlan } from '../../../accounts/index.ts';
import { endpoint } from '../../endpoint.ts';
import { planName, wholeNumber } from '../../fields.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere } from '../../reach.ts';
import type { PlanChoice } from '../../wire/customers.ts';

const newPlan = z.object({
  name: planName,
  messages_per_minute: wholeNumber(bounds.messagesPerMinute),
  instance_limit: wholeNumber(bounds.instanceLimit),
  trial_message_limit: wholeNumber(bounds.trialMessages).nullish(),
});
const change = newPlan.partial().extend({ is_default: z.boolean().optional() });

/** Plans: operators make and change them, provider admins choose among them. */
export function planRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: false });

  const choices = { onRequest: administers(options, { providerAdmins: true }) };
  endpoint(server, 'GET /portal/api/operator/plans', choices, async () => {
    const chosen = await selectDefaultPlan(store.db);
    return { plans: (await listPlans(store)).map((plan): PlanChoice => planChoice(plan, chosen)) };
  });

  endpoint(server, 'POST /portal/api/operator/plans', { onRequest, body: newPlan }, async (request): Promise<PlanChoice> => {
    const { name, messages_per_minute, instance_limit, trial_message_limit } = request.body;
    const plan = { name, messagesPerMinute: messages_per_minute, instanceLimit: instance_limit, trialMessages: trial_message_limit };
    return planChoice(await createPlan(store, plan, actOf(request, clock.now())), await selectDefaultPlan(store.db));
  });

  endpoint(server, 'PATCH /portal/api/operator/plans/:id', { onRequest, body: change }, async (request): Promise<PlanChoice> => {
    const id = request.params.id.toLowerCase();
    if (!(await listPlans(store)).some((plan) => plan.id === id)) throw notThere('plan');
    const { name, messages_per_minute, instance_limit, trial_message_limit, is_default } = request.body;
    const plan = { name, messagesPerMinute: messages_per_minute, instanceLimit: instance_limit, trialMessages: trial_message_limit };
    const act = actOf(request, clock.now());
    const changed = await updatePlan(store, id, plan, act);
    if (is_default !== undefined) await setDefaultPlan(store, id, is_default, act);
    return planChoice(changed, await selectDefaultPlan(store.db));
  });
}
