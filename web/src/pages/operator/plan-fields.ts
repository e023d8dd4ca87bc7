import type { PlanChoice } from '../../../../src/portal/wire/customers.ts';
import type { PlanFields } from '../../api/endpoints.ts';
import { fieldsBefore } from '../../parts/changed-fields.ts';

/** A plan as the request names its fields. */
export function planFields({ name, messages_per_minute, instance_limit, trial_message_limit, is_default }: PlanChoice): PlanFields {
  return { name, messages_per_minute, instance_limit, trial_message_limit, is_default };
}

/** The change that takes another one back; null: none does, because the plan that was the default before would not be it again. */
export function planBack(change: Partial<PlanFields>, plan: PlanChoice, plans: readonly PlanChoice[]): Partial<PlanFields> | null {
  const replaces = change.is_default === true && plans.some(({ plan_id, is_default }) => is_default && plan_id !== plan.plan_id);
  return replaces ? null : fieldsBefore(change, planFields(plan));
}
