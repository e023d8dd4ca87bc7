import type { PlanView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';

/** A plan with what it allows, as something to choose. */
export function planOption(plan: PlanView): { readonly value: string; readonly label: string } {
  return { value: plan.plan_id, label: labelOf(plan) };
}

function labelOf({ name, messages_per_minute: rate, instance_limit, trial_message_limit: trial }: PlanView): string {
  const numbers = t('{{count}} numbers', { count: instance_limit, defaultValue_one: '{{count}} number' });
  if (trial === null) return t('{{name}} – {{rate}} messages per minute, {{numbers}}', { name, rate, numbers });
  return t('{{name}} – {{rate}} messages per minute, {{numbers}}, {{trial}} messages in total', { name, rate, numbers, trial });
}
