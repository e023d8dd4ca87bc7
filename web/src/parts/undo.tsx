import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { t } from '../language/language.ts';

/** Long enough to read and to decide. */
const shownMs = 15_000;

/** Says what was done, with a button that takes it back. */
export function sayWithUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo().then(
              () => notifications.show({ message: t('Taken back.') }),
              () => notifications.show({ color: 'red', message: t('It could not be taken back. Look at the list and try again.') }),
            );
          }}
        >
          {t('Undo')}
        </Button>
      </Group>
    ),
  });
}
