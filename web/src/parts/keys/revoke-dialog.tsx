import { Alert, Text } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import type { KeyView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { shownMoment } from '../shown-moment.ts';
import { useChange } from '../use-change.ts';
import { keyName } from './keys.ts';

/** Use within this time means that a program may still need the key. */
const lateUseMs = 24 * 60 * 60 * 1000;

interface RevokeDialogProps {
  readonly opened: boolean;
  readonly accountId: string;
  readonly apiKey: KeyView;
  onClose(): void;
}

/** Ends a key for good. */
export function RevokeDialog({ opened, accountId, apiKey, onClose }: RevokeDialogProps) {
  const revoke = useChange(() => call('DELETE /portal/api/keys/:id', { params: { id: apiKey.key_id }, account: accountId }), {
    said: () => t('{{name}} has been revoked.', { name: keyName(apiKey) }),
    onDone: onClose,
  });
  const { last_used_at } = apiKey;
  const usedLately = last_used_at !== null && Date.now() - Date.parse(last_used_at) < lateUseMs;
  return (
    <ConfirmDialog
      opened={opened}
      title={t('Revoke {{name}}?', { name: keyName(apiKey) })}
      confirm={t('Revoke key')}
      change={revoke}
      onConfirm={() => revoke.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{t('Every program that uses this key will be refused from its next request on. This cannot be undone.')}</Text>
      {usedLately && last_used_at !== null && (
        <Alert color="orange" icon={<IconActivity aria-hidden />} p="sm">
          {t('It was last used on {{when}}. Make sure that no program still needs it.', { when: shownMoment(last_used_at) })}
        </Alert>
      )}
    </ConfirmDialog>
  );
}
