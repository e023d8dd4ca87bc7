import { Alert, Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useChange } from '../../parts/use-change.ts';
import { keyName } from './keys.ts';

/** Use within this time means that a program may still need the key. */
const lateUseMs = 24 * 60 * 60 * 1000;

interface RevokeDialogProps {
  readonly opened: boolean;
  readonly apiKey: KeyView;
  onClose(): void;
}

/** Ends a key for good. */
export function RevokeDialog({ opened, apiKey, onClose }: RevokeDialogProps) {
  const revoke = useChange(() => call(`/portal/api/keys/${encodeURIComponent(apiKey.key_id)}`, { method: 'DELETE' }), {
    said: () => `${keyName(apiKey)} is revoked.`,
    onDone: onClose,
  });
  const { last_used_at } = apiKey;
  const usedLately = last_used_at !== null && Date.now() - Date.parse(last_used_at) < lateUseMs;
  return (
    <ConfirmDialog
      opened={opened}
      title={`Revoke ${keyName(apiKey)}?`}
      confirm="Revoke key"
      change={revoke}
      onConfirm={() => revoke.mutate(undefined)}
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
