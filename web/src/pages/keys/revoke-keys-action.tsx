import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../../language/language.ts';
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx';
import { idsWith } from '../../parts/bulk/outcomes.ts';
import { keysPath } from '../../parts/keys/keys.ts';
import { useQuestion } from '../../parts/use-question.ts';

interface RevokeKeysActionProps {
  readonly ids: readonly string[];
  readonly account: string;
  onDone(left: readonly string[]): void;
}

/** Ends the chosen keys for good. */
export function RevokeKeysAction({ ids, account, onDone }: RevokeKeysActionProps) {
  const { about, opened, ask, close } = useQuestion<true>();
  return (
    <>
      <Button size="compact-sm" color="red" variant="light" onClick={() => ask(true)}>
        {t('Revoke')}
      </Button>
      {about !== null && (
        <BulkDialog
          opened={opened}
          request={{ path: keysPath, body: { action: 'revoke' }, account }}
          ids={ids}
          title={t('Revoke {{count}} keys?', { count: ids.length, defaultValue_one: 'Revoke {{count}} key?' })}
          confirm={(count) => t('Revoke {{count}} keys', { count, defaultValue_one: 'Revoke {{count}} key' })}
          danger
          onRan={(results) => {
            const count = idsWith(results, 'done').length;
            if (count > 0)
              notifications.show({ message: t('{{count}} keys are revoked.', { count, defaultValue_one: '{{count}} key is revoked.' }) });
          }}
          onClose={close}
          onDone={onDone}
        >
          <Text size="sm">
            {t('From its next request on, every program that uses one of these keys is refused. This cannot be undone.')}
          </Text>
        </BulkDialog>
      )}
    </>
  );
}
