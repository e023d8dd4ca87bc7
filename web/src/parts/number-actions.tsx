import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../language/language.ts';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import { idsWith } from './bulk/run-bulk.ts';
import { useQuestion } from './use-question.ts';

type Action = 'disconnect' | 'delete';

interface NumberActionsProps {
  /** Where they are asked for. */
  readonly path: '/portal/api/operator/numbers' | '/portal/api/numbers';
  readonly ids: readonly string[];
  readonly account?: string;
  onDone(): void;
}

/** What can be done with the chosen numbers. */
export function NumberActions({ path, ids, account, onDone }: NumberActionsProps) {
  const { about: action, opened, ask, close } = useQuestion<Action>();
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => ask('disconnect')}>
        {t('Disconnect')}
      </Button>
      <Button size="compact-sm" color="red" variant="light" onClick={() => ask('delete')}>
        {t('Delete')}
      </Button>
      {action !== null && (
        <BulkDialog
          opened={opened}
          request={{ path, body: { action }, ...(account === undefined ? {} : { account }) }}
          ids={ids}
          title={titles[action](ids.length)}
          confirm={confirms[action]}
          danger
          onRan={(results) => {
            const count = idsWith(results, 'done').length;
            if (count > 0) notifications.show({ message: said[action](count) });
          }}
          onClose={close}
          onDone={onDone}
        >
          <Text size="sm">
            {action === 'delete'
              ? t(
                  'The numbers are unlinked from their phones and removed with their IDs: programs that send from them are refused. This cannot be undone.',
                )
              : t(
                  'The numbers are unlinked from their phones and keep their IDs. To send from them again, somebody must scan a code for each.',
                )}
          </Text>
        </BulkDialog>
      )}
    </>
  );
}

const titles = {
  disconnect: (count: number) => t('Disconnect {{count}} numbers?', { count, defaultValue_one: 'Disconnect {{count}} number?' }),
  delete: (count: number) => t('Delete {{count}} numbers?', { count, defaultValue_one: 'Delete {{count}} number?' }),
};
const confirms = {
  disconnect: (count: number) => t('Disconnect {{count}} numbers', { count, defaultValue_one: 'Disconnect {{count}} number' }),
  delete: (count: number) => t('Delete {{count}} numbers', { count, defaultValue_one: 'Delete {{count}} number' }),
};
const said = {
  disconnect: (count: number) => t('{{count}} numbers are disconnected.', { count, defaultValue_one: '{{count}} number is disconnected.' }),
  delete: (count: number) => t('{{count}} numbers are deleted.', { count, defaultValue_one: '{{count}} number is deleted.' }),
};
