import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
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
  readonly deliveryId: string | null;
  onClose(): void;
}

/** What a delivery sent. */
export function PayloadDialog({ opened, home, targetId, deliveryId, onClose }: PayloadDialogProps) {
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
            <CopyField block value={indented(payload)} label={t('what was sent')} />
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
