import { Alert, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconActivity } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useAccountId } from '../../session/session.ts';
import { keyName, keysQuery } from './keys.ts';

/** Use within this time means that a program may still need the key. */
const lateUseMs = 24 * 60 * 60 * 1000;

interface RevokeDialogProps {
  readonly opened: boolean;
  readonly apiKey: KeyView;
  onClose(): void;
}

/** Ends a key for good. */
export function RevokeDialog({ opened, apiKey, onClose }: RevokeDialogProps) {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  const revoke = useMutation({
    mutationFn: () => call(`/portal/api/keys/${encodeURIComponent(apiKey.key_id)}`, { method: 'DELETE' }),
    async onSuccess() {
      await queryClient.invalidateQueries(keysQuery(accountId));
      void queryClient.invalidateQueries(accountQuery(accountId));
      notifications.show({ message: `${keyName(apiKey)} is revoked.` });
      onClose();
    },
  });
  const { last_used_at } = apiKey;
  const usedLately = last_used_at !== null && Date.now() - Date.parse(last_used_at) < lateUseMs;
  return (
    <ConfirmDialog
      opened={opened}
      title={`Revoke ${keyName(apiKey)}?`}
      confirm="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <Text size="sm">From its next request on, every program that uses this key is refused. This cannot be undone.</Text>
      {usedLately && last_used_at !== null && (
        <Alert color="orange" icon={<IconActivity aria-hidden />} p="sm">
          It was used as late as {new Date(last_used_at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}. Make sure
          that no program needs it any more.
        </Alert>
      )}
    </ConfirmDialog>
  );
}
