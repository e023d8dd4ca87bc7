import { Button, Center, Group, Stack, Text } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AlertDeliveryView } from '../../../../src/portal/wire/alerts.ts';
import { call } from '../../api/client.ts';
import { shownCount, t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { EmptyState } from '../empty-state.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { ListLoading } from '../list-parts.tsx';
import { RecordTable } from '../record-table.tsx';
import { ShownId } from '../shown-id.tsx';
import { shownMoment } from '../shown-moment.ts';
import { Ago } from '../time/ago.tsx';
import { useChange } from '../use-change.ts';
import { useQuestion } from '../use-question.ts';
import { DeliveryState } from './delivery-state.tsx';
import { type AlertHome, deliveriesQuery } from './home.ts';
import { PayloadDialog } from './payload-dialog.tsx';

/** How often is looked for what became of a delivery that is still tried. */
const pollMs = 3_000;

interface DeliveryLogProps {
  readonly home: AlertHome;
  readonly targetId: string;
  /** Whether deliveries may be sent again. */
  readonly changeable: boolean;
}

/** What was sent to a target in the last 30 days, and what came of it. */
export function DeliveryLog({ home, targetId, changeable }: DeliveryLogProps) {
  const query = useInfiniteQuery({
    ...deliveriesQuery(home, targetId),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some(({ state }) => state === 'waiting')) === true ? pollMs : false,
  });
  const { data, dataUpdatedAt, isFetching, refetch } = query;
  const resend = useChange(
    ({ delivery_id }: AlertDeliveryView) =>
      call(`POST ${home.base}/:id/deliveries/:delivery/resend`, { params: { id: targetId, delivery: delivery_id } }),
    { said: () => t('It is sent again within seconds.') },
  );
  const opening = useQuestion<AlertDeliveryView>();
  return (
    <Answered
      query={{ data, dataUpdatedAt, isFetching, refetch, error: query.isFetchNextPageError ? null : query.error }}
      loading={<ListLoading label={t('Loading the deliveries')} rows={3} />}
    >
      {({ pages }) => {
        const deliveries = pages.flatMap((page) => page.deliveries);
        if (deliveries.length === 0) {
          return (
            <EmptyState
              icon={<IconBellOff size={28} />}
              title={t('Nothing was sent yet')}
              text={t('Send a test to see whether alerts arrive. What is sent stays listed here for 30 days.')}
            />
          );
        }
        return (
          <Stack gap="sm">
            <FailureAlert error={resend.error} />
            <RecordTable<AlertDeliveryView>
              label={t('Deliveries')}
              rows={deliveries}
              keyOf={({ delivery_id }) => delivery_id}
              columns={[
                { label: t('What'), cell: (delivery) => <Told delivery={delivery} />, long: true, whole: true },
                { label: t('State'), cell: ({ state }) => <DeliveryState state={state} /> },
                { label: t('ID'), cell: ({ delivery_id }) => <DeliveryId id={delivery_id} /> },
                { label: t('When'), cell: ({ at }) => <Ago at={at} size="sm" /> },
                { label: t('Last attempt'), cell: (delivery) => <LastAttempt delivery={delivery} />, long: true, whole: true },
                { label: t('Attempts'), cell: ({ attempts }) => shownCount(attempts), end: true },
              ]}
              actions={(delivery) => (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button variant="default" size="xs" onClick={() => opening.ask(delivery)}>
                    {t('Open')}
                  </Button>
                  {changeable && (
                    <Button
                      variant="default"
                      size="xs"
                      disabled={delivery.state === 'waiting'}
                      loading={resend.isPending && resend.variables.delivery_id === delivery.delivery_id}
                      onClick={() => resend.mutate(delivery)}
                    >
                      {t('Send again')}
                    </Button>
                  )}
                </Group>
              )}
            />
            <PayloadDialog opened={opening.opened} home={home} targetId={targetId} delivery={opening.about} onClose={opening.close} />
            <FailureAlert error={query.isFetchNextPageError ? query.error : null} />
            {query.hasNextPage && (
              <Center>
                <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                  {t('Show older deliveries')}
                </Button>
              </Center>
            )}
          </Stack>
        );
      }}
    </Answered>
  );
}

function Told({ delivery: { type, told, alerts, events } }: { readonly delivery: AlertDeliveryView }) {
  const [first] = told;
  if (first === undefined) {
    return (
      <Text size="sm" fw={600}>
        {events > 0
          ? t('{{count}} message events', { count: events, defaultValue_one: '{{count}} message event' })
          : type === 'test'
            ? t('Test')
            : type === 'confirm'
              ? t('Question whether the address wants alerts')
              : type}
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {first}
      </Text>
      {alerts > 1 && (
        <Text size="xs" c="dimmed">
          {t('and {{count}} more', { count: alerts - 1 })}
        </Text>
      )}
    </>
  );
}

/** What a webhook is told as `webhook-id`; its end tells deliveries apart, which all begin with their time. */
function DeliveryId({ id }: { readonly id: string }) {
  return <ShownId id={id} short={`…${id.slice(-6)}`} label={t('delivery ID')} />;
}

function LastAttempt({ delivery: { outcome, next_at } }: { readonly delivery: AlertDeliveryView }) {
  return (
    <>
      <Text size="sm">{outcome ?? t('None yet')}</Text>
      {next_at !== null && (
        <Text size="xs" c="dimmed">
          {t('next: {{at}}', { at: shownMoment(next_at) })}
        </Text>
      )}
    </>
  );
}
