import { List, Text } from '@mantine/core';
import type { Instance } from '../../api/queries.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useQuestion } from '../../parts/use-question.ts';
import { inPlainWords } from './failure-words.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { useDeleteNumber, useDisconnectNumber } from './use-number-actions.ts';

/** The actions on a number that open a dialog. */
export type Question = 'rename' | 'disconnect' | 'delete';

type Dialogs = ReturnType<typeof useNumberDialogs>;

/** Which dialog is open, and for which number. */
export function useNumberDialogs() {
  return useQuestion<{ readonly question: Question; readonly number: Instance }>();
}

/** The dialogs of one number: its name, its link, its end. */
export function NumberDialogs({ about, opened, close }: Dialogs) {
  if (about === null) return null;
  const { question, number } = about;
  const isOpen = (one: Question) => opened && question === one;
  return (
    <>
      <RenameDialog key={number.instance_id} opened={isOpen('rename')} number={number} onClose={close} />
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
      title={`Disconnect ${nameOf(number)}?`}
      confirm="Disconnect"
      change={{ error: inPlainWords(disconnect.error), isPending: disconnect.isPending }}
      onConfirm={() => disconnect.mutate(number)}
      onClose={onClose}
    >
      <Text size="sm">The link to the phone is cut. Until somebody links it again with a scan, nothing can be sent from this number.</Text>
      <Text size="sm">The number stays in this list with its name and its instance ID, so your programs need no change.</Text>
    </ConfirmDialog>
  );
}

function Delete({ opened, number, onClose }: DialogProps) {
  const remove = useDeleteNumber(onClose);
  const digits = shownNumber(number.phone_number);
  return (
    <ConfirmDialog
      opened={opened}
      title={`Delete ${nameOf(number)}?`}
      confirm="Delete number"
      typed="delete"
      change={{ error: inPlainWords(remove.error), isPending: remove.isPending }}
      onConfirm={() => remove.mutate(number)}
      onClose={onClose}
    >
      <Text size="sm">
        {digits === null ? 'This number' : <b>{digits}</b>} is removed from the account for good. This cannot be undone:
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>The link to the phone is cut. The phone itself keeps its chats.</List.Item>
        <List.Item>Its instance ID stops working: programs that send with it get an error.</List.Item>
        <List.Item>Its name is lost. Past sends stay in Activity and Usage.</List.Item>
        <List.Item>Its place becomes free for another number.</List.Item>
      </List>
      <Text size="sm">To stop sending for a while only, disconnect it instead.</Text>
    </ConfirmDialog>
  );
}
