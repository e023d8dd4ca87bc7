import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconPackages, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PlanChoice } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { PlanDialog } from './plan-dialog.tsx';
import { plansQuery } from './queries.ts';

/** The plans an account can have. */
export default function PlansPage() {
  const plans = useQuery(plansQuery);
  const { about: asked, opened, ask: edit, close } = useQuestion<PlanChoice | null>();
  return (
    <>
      <PageHeader title="Plans" text="How much an account may send, and from how many numbers.">
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => edit(null)}>
          New plan
        </Button>
      </PageHeader>
      <Stack>
        <Answered query={plans} loading={<ListLoading label="Loading the plans" rows={4} />}>
          {(found) =>
            found.length === 0 ? (
              <EmptyState icon={<IconPackages size={28} />} title="No plans yet" text="Accounts need a plan before they can send.">
                <Button mt="sm" onClick={() => edit(null)}>
                  Create the first plan
                </Button>
              </EmptyState>
            ) : (
              <PlanTable plans={found} onEdit={edit} />
            )
          }
        </Answered>
        <Alert icon={<IconInfoCircle aria-hidden />} color="gray" title="What a trial is">
          A plan with trial messages is for trying the gateway out. An account on it can send that many messages in total, of any kind, and
          then no more until it has another plan. Messages already used stay counted: going back to a trial does not restart it.
        </Alert>
      </Stack>
      <PlanDialog key={asked?.plan_id ?? 'new'} opened={opened} plan={asked} onClose={close} />
    </>
  );
}

function PlanTable({ plans, onEdit }: { readonly plans: readonly PlanChoice[]; onEdit(plan: PlanChoice): void }) {
  return (
    <RecordTable
      label="Plans"
      rows={plans}
      keyOf={({ plan_id }) => plan_id}
      columns={[
        {
          label: 'Plan',
          cell: ({ name, is_default }) => (
            <Group gap={8}>
              <Text size="sm" fw={600}>
                {name}
              </Text>
              {is_default && (
                <Badge size="sm" variant="light" color="gray" autoContrast>
                  {t('Default')}
                </Badge>
              )}
            </Group>
          ),
        },
        { label: 'Messages per minute', cell: ({ messages_per_minute }) => messages_per_minute.toLocaleString(), end: true },
        { label: 'Numbers', cell: ({ instance_limit }) => instance_limit.toLocaleString(), end: true },
        {
          label: 'Trial messages',
          cell: ({ trial_message_limit }) =>
            trial_message_limit === null ? 'No trial' : `${trial_message_limit.toLocaleString()} in total`,
          end: true,
        },
      ]}
      actions={(plan) => (
        <Button variant="default" size="xs" onClick={() => onEdit(plan)} aria-label={`Edit ${plan.name}`}>
          Edit
        </Button>
      )}
    />
  );
}
