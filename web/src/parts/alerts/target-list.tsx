import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AlertTargetView } from '../../../../src/portal/wire/alerts.ts';
import { t } from '../../language/language.ts';
import { Moment } from '../moment.tsx';
import { type Column, RecordTable } from '../record-table.tsx';
import { Ago } from '../time/ago.tsx';
import { DeliveryState } from './delivery-state.tsx';
import type { AlertHome } from './home.ts';
import { shownConditions, targetName } from './words.ts';

interface TargetListProps {
  readonly home: AlertHome;
  readonly targets: readonly AlertTargetView[];
  /** Whose accounts a target is told of, where the list holds several. */
  readonly toldOf?: (target: AlertTargetView) => ReactNode;
}

/** Everybody who is told; each leads to its page. */
export function TargetList({ home, targets, toldOf }: TargetListProps) {
  const of: readonly Column<AlertTargetView>[] = toldOf === undefined ? [] : [{ label: t('Accounts'), cell: toldOf, long: true }];
  return (
    <RecordTable
      label={t('Alert targets')}
      rows={targets}
      keyOf={({ target_id }) => target_id}
      columns={[
        {
          label: t('Target'),
          cell: (target) => (
            <Anchor
              size="sm"
              fw={600}
              renderRoot={(props) => <Link to={home.detail} params={{ targetId: target.target_id }} {...props} />}
              style={{ overflowWrap: 'anywhere' }}
            >
              {targetName(target)}
            </Anchor>
          ),
        },
        {
          label: t('Last delivery'),
          cell: ({ last_delivery, confirm_by }) => (confirm_by === null ? <Last delivery={last_delivery} /> : <Waiting />),
        },
        {
          label: t('Kind'),
          cell: ({ kind }) => (
            <Badge variant="default" autoContrast>
              {kind === 'webhook' ? t('Webhook') : t('E-mail')}
            </Badge>
          ),
        },
        ...of,
        { label: t('Told of'), cell: shownConditions, long: true, whole: true },
        { label: t('Added'), cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
      ]}
    />
  );
}

/** Nothing is sent until the address says that it wants alerts. */
export function Waiting() {
  return (
    <Badge color="yellow" variant="light" autoContrast>
      {t('Waiting for confirmation')}
    </Badge>
  );
}

function Last({ delivery }: { readonly delivery: AlertTargetView['last_delivery'] }) {
  if (delivery === null) {
    return (
      <Text size="sm" c="dimmed">
        {t('Nothing yet')}
      </Text>
    );
  }
  return (
    <Group gap={6}>
      <DeliveryState state={delivery.state} />
      <Ago at={delivery.at} size="xs" dimmed />
    </Group>
  );
}
