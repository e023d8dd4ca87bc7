import { Text } from '@mantine/core';
import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { shownMoment } from '../../parts/shown-moment.ts';

/** An account's plan by name, and when it ends if it does. */
export function PlanWithEnd({ account: { plan, plan_ends_at } }: { readonly account: AccountView }) {
  if (plan === null) return <Text size="sm">–</Text>;
  return (
    <>
      <Text size="sm">{plan.name}</Text>
      {plan_ends_at !== null && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {Date.parse(plan_ends_at) <= Date.now() ? 'ended' : 'ends'} {shownMoment(plan_ends_at, true)}
        </Text>
      )}
    </>
  );
}
