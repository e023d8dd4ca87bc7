import { List, Text } from '@mantine/core';
import type { Instance } from '../../api/contract.ts';
import { Trans, t } from '../../language/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { ScanLinkDialog } from '../../parts/number/scan-link.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useAccountId } from '../../session/session.ts';
import { inPlainWords } from './failure-words.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { useDeleteNumber, useDisconnectNumber } from './use-number-actions.ts';
import type { Question, useNumberDialogs } from './use-number-dialogs.ts';

/** The dialogs of one number: its name, its links, its end. */
export function NumberDialogs({ about, opened, close }: ReturnType<typeof useNumberDialogs>) {
  const account = useAccountId();
  if (about === null) return null;
  const { question, number } = about;
  const isOpen = (one: Question) => opened && question === one;
  return (
    <>
      <RenameDialog key={number.instance_id} opened={isOpen('rename')} number={number} onClose={close} />
      <ScanLinkDialog opened={isOpen('scan-link')} number={number} account={account} onClose={close} />
      <Disconnect opened={isOpen('disconnect')} number={number} onClose={close} />
      <Delete opened={isOpen('delete')} number={number} onClose={close} />
    </>
  );
}

interface DialogProps {
  readonly opened: boolean;
  readonly number: Instance;
  onClose(): void;
}

function Disconnect({ opened, number, onClose }: DialogProps) {
  const disconnect = useDisconnectNumber(onClose);
  return (
    <ConfirmDialog
      opened={opened}
      title={t('Disconnect {{number}}?', { number: nameOf(number) })}
      confirm={t('Disconnect')}
      change={{ error: inPlainWords(disconnect.error), isPending: disconnect.isPending }}
      onConfirm={() => disconnect.mutate(number)}
      onClose={onClose}
    >
      <Text size="sm">{t('It is unlinked from the phone. Nothing can be sent from it until somebody links it again with a scan.')}</Text>
      <Text size="sm">{t('The number stays in this list with its name and its instance ID, so your programs need no changes.')}</Text>
    </ConfirmDialog>
  );
}

function Delete({ opened, number, onClose }: DialogProps) {
  const remove = useDeleteNumber(onClose);
  const digits = shownNumber(number.phone_number);
  return (
    <ConfirmDialog
      opened={opened}
      title={t('Delete {{number}}?', { number: nameOf(number) })}
      confirm={t('Delete number')}
      typed="delete"
      change={{ error: inPlainWords(remove.error), isPending: remove.isPending }}
      onConfirm={() => remove.mutate(number)}
      onClose={onClose}
    >
      <Text size="sm">
        {digits === null ? (
          t('This number is removed from the account for good. This cannot be undone:')
        ) : (
          <Trans
            i18nKey="<b>{{number}}</b> is removed from the account for good. This cannot be undone:"
            values={{ number: digits }}
            components={{ b: <b /> }}
          />
        )}
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>{t('It is unlinked from the phone. The phone itself keeps its chats.')}</List.Item>
        <List.Item>{t('Its instance ID stops working: programs that send with it get an error.')}</List.Item>
        <List.Item>{t('Its name is lost. Past sends stay in Activity and Usage.')}</List.Item>
        <List.Item>{t('Its place is freed for another number.')}</List.Item>
      </List>
      <Text size="sm">{t('To stop sending only for a while, disconnect it instead.')}</Text>
    </ConfirmDialog>
  );
}
