import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertDeliveryView } from '../../../../src/portal/wire/alerts.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { CopyField } from '../copy-field.tsx';
import { Dialog } from '../dialog.tsx';
import { ListLoading } from '../list-parts.tsx';
import type { AlertHome } from './home.ts';

interface PayloadDialogProps {
  readonly opened: boolean;
  readonly home: AlertHome;
  readonly targetId: string;
  /** null: none was opened yet. */
  readonly delivery: AlertDeliveryView | null;
  onClose(): void;
}

/** What a delivery sent. */
export function PayloadDialog({ opened, home, targetId, delivery, onClose }: PayloadDialogProps) {
  const deliveryId = delivery?.delivery_id ?? null;
  const query = useQuery({
    queryKey: [...home.key, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      call(`GET ${home.base}/:id/deliveries/:delivery`, {
        params: { id: targetId, delivery: deliveryId ?? '' },
        account: home.account,
        signal,
      }),
    enabled: deliveryId !== null,
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={t('What was sent')} size="xl">
      <Answered query={query} loading={<ListLoading label={t('Loading the delivery')} rows={3} />}>
        {({ payload }) =>
          payload === null ? (
            <Text size="sm">{t('What became of messages is sent to the webhook alone, and is not shown here.')}</Text>
          ) : (
            <Stack gap="xs">
              <CopyField block value={indented(payload)} label={t('what was sent')} />
              <Text size="sm" c="dimmed">
                {t('{{count}} bytes', { count: delivery?.bytes ?? 0, defaultValue_one: '{{count}} byte' })}
              </Text>
            </Stack>
          )
        }
      </Answered>
    </Dialog>
  );
}

/** A webhook's body, to be read; a mail as it is. */
function indented(payload: string): string {
  return payload.startsWith('{') ? JSON.stringify(JSON.parse(payload), null, 2) : payload;
}
