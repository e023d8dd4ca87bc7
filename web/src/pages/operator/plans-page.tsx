import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconPackages, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PlanChoice } from '../../../../src/portal/wire/customers.ts';
import { shownCount, t } from '../../language/language.ts';
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
      <PageHeader title={t('Plans')} text={t('How much an account may send, and from how many numbers.')}>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => edit(null)}>
          {t('New plan')}
        </Button>
      </PageHeader>
      <Stack>
        <Answered query={plans} loading={<ListLoading label={t('Loading the plans')} rows={4} />}>
          {(found) =>
            found.length === 0 ? (
              <EmptyState
                icon={<IconPackages size={28} />}
                title={t('No plans yet')}
                text={t('Accounts need a plan before they can send.')}
              >
                <Button mt="sm" onClick={() => edit(null)}>
                  {t('Create the first plan')}
                </Button>
              </EmptyState>
            ) : (
              <PlanTable plans={found} onEdit={edit} />
            )
          }
        </Answered>
        <Alert icon={<IconInfoCircle aria-hidden />} color="gray" title={t('What a trial is')}>
          {t(
            'A plan with trial messages is for trying the gateway out. An account on it can send that many messages in total, of any kind, and then no more until it has another plan. Messages already used stay counted: going back to a trial does not restart it.',
          )}
        </Alert>
      </Stack>
      <PlanDialog key={asked?.plan_id ?? 'new'} opened={opened} plan={asked} onClose={close} />
    </>
  );
}

function PlanTable({ plans, onEdit }: { readonly plans: readonly PlanChoice[]; onEdit(plan: PlanChoice): void }) {
  return (
    <RecordTable
      label={t('Plans')}
      rows={plans}
      keyOf={({ plan_id }) => plan_id}
      columns={[
        {
          label: t('Plan'),
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
        { label: t('Messages per minute'), cell: ({ messages_per_minute }) => shownCount(messages_per_minute), end: true },
        { label: t('Numbers'), cell: ({ instance_limit }) => shownCount(instance_limit), end: true },
        {
          label: t('Trial messages'),
          cell: ({ trial_message_limit }) =>
            trial_message_limit === null ? t('No trial') : t('{{limit}} in total', { limit: trial_message_limit }),
          end: true,
        },
      ]}
      actions={(plan) => (
        <Button variant="default" size="xs" onClick={() => onEdit(plan)} aria-label={t('Edit {{name}}', { name: plan.name })}>
          {t('Edit')}
        </Button>
      )}
    />
  );
}
