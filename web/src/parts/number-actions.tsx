import { Button, List, ScrollArea, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { BulkResult } from '../../../src/portal/wire/listing.ts';
import { t } from '../language/language.ts';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import { idsWith } from './bulk/outcomes.ts';
import { useQuestion } from './use-question.ts';

type Action = 'disconnect' | 'delete' | 'notify';

/** More than anybody reads one by one. */
const mostShown = 500;

interface NumberActionsProps {
  /** Where they are asked for. */
  readonly path: '/portal/api/operator/numbers' | '/portal/api/numbers';
  readonly ids: readonly string[];
  readonly account?: string;
  onDone(left: readonly string[]): void;
}

/** What can be done with the chosen numbers. */
export function NumberActions({ path, ids, account, onDone }: NumberActionsProps) {
  const { about: action, opened, ask, close } = useQuestion<Action>();
  return (
    <>
      {account === undefined && (
        <Button size="compact-sm" variant="default" onClick={() => ask('notify')}>
          {t('Notify the owners')}
        </Button>
      )}
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
          danger={action !== 'notify'}
          outlook={(results) => <MailPreview results={results} />}
          onRan={(results) => {
            const count = idsWith(results, 'done').length;
            if (count > 0) notifications.show({ message: done[action](count) });
          }}
          onClose={close}
          onDone={onDone}
        >
          <Text size="sm">{texts[action]}</Text>
        </BulkDialog>
      )}
    </>
  );
}

/** Who gets a mail about each number. */
function MailPreview({ results }: { readonly results: readonly BulkResult[] }) {
  const mailed = results.flatMap(({ id, name, mail_to }) => (mail_to === null ? [] : [{ id, name, mail_to }]));
  if (mailed.length === 0) return null;
  return (
    <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t('Who gets an e-mail about each number') }}>
      <List size="sm" listStyleType="none" spacing={6}>
        {mailed.slice(0, mostShown).map(({ id, name, mail_to }) => (
          <List.Item key={id}>
            <b>{name}</b>: {mail_to.join(', ')}
          </List.Item>
        ))}
      </List>
      {mailed.length > mostShown && (
        <Text size="sm" c="dimmed">
          {t('and {{count}} more', { count: mailed.length - mostShown })}
        </Text>
      )}
    </ScrollArea.Autosize>
  );
}

const texts: Readonly<Record<Action, string>> = {
  notify: t(
    'The owners of each account get one e-mail (above 100 numbers, one for each 100) that names its chosen numbers which need a person or are restricted, says why and since when, and leads to them. An account gets at most 60 such e-mails and alerts an hour.',
  ),
  disconnect: t(
    'The numbers are unlinked from their phones and keep their IDs. To send from them again, somebody must scan a code for each.',
  ),
  delete: t(
    'The numbers are unlinked from their phones and removed with their IDs: programs that send from them are refused. This cannot be undone.',
  ),
};
const titles = {
  notify: (count: number) =>
    t('Notify the owners of {{count}} numbers?', { count, defaultValue_one: 'Notify the owners of {{count}} number?' }),
  disconnect: (count: number) => t('Disconnect {{count}} numbers?', { count, defaultValue_one: 'Disconnect {{count}} number?' }),
  delete: (count: number) => t('Delete {{count}} numbers?', { count, defaultValue_one: 'Delete {{count}} number?' }),
};
const confirms = {
  notify: (count: number) =>
    t('Notify the owners of {{count}} numbers', { count, defaultValue_one: 'Notify the owners of {{count}} number' }),
  disconnect: (count: number) => t('Disconnect {{count}} numbers', { count, defaultValue_one: 'Disconnect {{count}} number' }),
  delete: (count: number) => t('Delete {{count}} numbers', { count, defaultValue_one: 'Delete {{count}} number' }),
};
const done = {
  notify: (count: number) =>
    t('The owners of {{count}} numbers are notified.', { count, defaultValue_one: 'The owners of {{count}} number are notified.' }),
  disconnect: (count: number) => t('{{count}} numbers are disconnected.', { count, defaultValue_one: '{{count}} number is disconnected.' }),
  delete: (count: number) => t('{{count}} numbers are deleted.', { count, defaultValue_one: '{{count}} number is deleted.' }),
};
