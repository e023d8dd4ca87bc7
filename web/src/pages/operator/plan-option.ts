import type { PlanView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';

/** A plan with what it allows, as something to choose. */
export function planOption(plan: PlanView): { readonly value: string; readonly label: string } {
  return { value: plan.plan_id, label: labelOf(plan) };
}

function labelOf({ name, messages_per_minute, instance_limit, trial_message_limit: trial }: PlanView): string {
  const rate = t('{{count}} messages per minute', { count: messages_per_minute, defaultValue_one: '{{count}} message per minute' });
  const numbers = t('{{count}} numbers', { count: instance_limit, defaultValue_one: '{{count}} number' });
  if (trial === null) return t('{{name}} – {{rate}}, {{numbers}}', { name, rate, numbers });
  const total = t('{{count}} messages in total', { count: trial, defaultValue_one: '{{count}} message in total' });
  return t('{{name}} – {{rate}}, {{numbers}}, {{total}}', { name, rate, numbers, total });
}
