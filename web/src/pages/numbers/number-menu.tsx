import { ActionIcon, Menu } from '@mantine/core';
import { IconCopy, IconDots, IconLink, IconLinkOff, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Instance } from '../../api/queries.ts';
import { useCopyWithNotice } from '../../parts/copy.ts';
import { nameOf } from '../../parts/number-words.ts';
import type { Question } from './number-dialogs.tsx';

interface NumberMenuProps {
  readonly number: Instance;
  onLink(): void;
  onAsk(question: Question, number: Instance): void;
}

/** Everything that can be done with one number. */
export function NumberMenu({ number, onLink, onAsk }: NumberMenuProps) {
  const { instance_id, status, phone_number } = number;
  const copy = useCopyWithNotice();
  const button = useRef<HTMLButtonElement>(null);
  // A dialog gives the focus back to what had it, and the menu is gone by then.
  const fromButton = (open: () => void) => () => {
    button.current?.focus();
    open();
  };
  return (
    <Menu position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label={`More for ${nameOf(number)}`}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {status === 'open' ? (
          <Menu.Item
            renderRoot={(props) => <Link to="/send" search={{ instance_id }} {...props} />}
            leftSection={<IconSend size={16} aria-hidden />}
          >
            Send a message
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={fromButton(onLink)}>
            {status === 'connecting' ? 'Show the code' : 'Link with a phone'}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={fromButton(() => onAsk('rename', number))}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={fromButton(() => copy(instance_id, 'Instance ID'))}>
          Copy instance ID
        </Menu.Item>
        <Menu.Divider />
        {status !== 'close' && phone_number !== null && (
          <Menu.Item leftSection={<IconLinkOff size={16} aria-hidden />} onClick={fromButton(() => onAsk('disconnect', number))}>
            Disconnect
          </Menu.Item>
        )}
        <Menu.Item
          c="var(--mantine-color-red-text)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={fromButton(() => onAsk('delete', number))}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
