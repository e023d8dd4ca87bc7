import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bounds, createPlan, installationDefault, listPlans, setDefaultPlan, updatePlan } from '../../../accounts/index.ts';
import { GatewayError } from '../../../core/index.ts';
import { succeed } from '../../../http/index.ts';
import type { PlanRow } from '../../../store/index.ts';
import { planView } from '../../account-view.ts';
import { planName, wholeNumber } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere } from '../../reach.ts';
import type { PlanChoice } from '../../wire/index.ts';

const newPlan = z.object({
  name: planName,
  messages_per_minute: wholeNumber(bounds.messagesPerMinute),
  instance_limit: wholeNumber(bounds.instanceLimit),
  trial_message_limit: wholeNumber(bounds.trialMessages).nullish(),
});
const change = newPlan.partial().extend({ is_default: z.boolean().optional() });

/** /portal/api/operator/plans: operators make and change them, provider admins choose among them. */
export function planRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const operators = administers(options, { providerAdmins: false });

  server.get('/portal/api/operator/plans', { onRequest: administers(options, { providerAdmins: true }) }, async (request, reply) => {
    const plans = await listPlans(store);
    const chosen = await installationDefault(store);
    return succeed(request, reply, { plans: plans.map((plan) => choice(plan, chosen)) });
  });

  server.post<{ Body: z.output<typeof newPlan> }>(
    '/portal/api/operator/plans',
    { schema: { body: newPlan }, onRequest: operators },
    async (request, reply) => {
      const { name, messages_per_minute, instance_limit, trial_message_limit } = request.body;
      await refuseTaken(name, null);
      const plan = { name, messagesPerMinute: messages_per_minute, instanceLimit: instance_limit, trialMessages: trial_message_limit };
      const made = await fromOperatorInputLater(() => createPlan(store, plan, actOf(request, clock.now())));
      return succeed(request, reply, choice(made, await installationDefault(store)));
    },
  );

  server.patch<{ Params: { id: string }; Body: z.output<typeof change> }>(
    '/portal/api/operator/plans/:id',
    { schema: { body: change }, onRequest: operators },
    async (request, reply) => {
      const id = request.params.id.toLowerCase();
      if (!(await listPlans(store)).some((plan) => plan.id === id)) throw notThere('plan');
      const { name, messages_per_minute, instance_limit, trial_message_limit, is_default } = request.body;
      if (name !== undefined) await refuseTaken(name, id);
      const plan = { name, messagesPerMinute: messages_per_minute, instanceLimit: instance_limit, trialMessages: trial_message_limit };
      const act = actOf(request, clock.now());
      const changed = await fromOperatorInputLater(() => updatePlan(store, id, plan, act));
      if (is_default !== undefined) await setDefaultPlan(store, id, is_default, act);
      return succeed(request, reply, choice(changed, await installationDefault(store)));
    },
  );

  /** So that the field is named; of two at once the database refuses the second. */
  async function refuseTaken(name: string, by: string | null): Promise<void> {
    const taken = (await listPlans(store)).some((plan) => plan.name === name && plan.id !== by);
    if (taken)
      throw new GatewayError('invalid_request', 'name must be different: there is already a plan with this name.', { field: 'name' });
  }
}

function choice(plan: PlanRow, defaultId: string | null): PlanChoice {
  return { ...planView(plan), is_default: plan.id === defaultId };
}
