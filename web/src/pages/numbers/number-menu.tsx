import { Menu } from '@mantine/core';
import { IconCopy, IconLink, IconLinkOff, IconPencil, IconQrcode, IconSend, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Instance } from '../../api/contract.ts';
import { t } from '../../language/language.ts';
import { useCopyWithNotice } from '../../parts/copy.ts';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { useManages } from '../../session/manages.ts';
import type { Question } from './use-number-dialogs.ts';

interface NumberMenuProps {
  readonly number: Instance;
  onLink(): void;
  onAsk(question: Question, number: Instance): void;
}

/** Everything that can be done with one number. */
export function NumberMenu({ number, onLink, onAsk }: NumberMenuProps) {
  const { instance_id, status, phone_number } = number;
  const copy = useCopyWithNotice();
  const manages = useManages();
  return (
    <MoreMenu name={nameOf(number)} width={220}>
      {(asking) => (
        <>
          {status === 'open' ? (
            <Menu.Item
              renderRoot={(props) => <Link to="/send" search={{ instance_id }} {...props} />}
              leftSection={<IconSend size={16} aria-hidden />}
            >
              {t('Send a message')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={asking(onLink)}>
              {status === 'connecting' ? t('Show the code') : t('Link with a phone')}
            </Menu.Item>
          )}
          {status !== 'open' && manages && (
            <Menu.Item leftSection={<IconQrcode size={16} aria-hidden />} onClick={asking(() => onAsk('scan-link', number))}>
              {t('Scan link')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={asking(() => onAsk('rename', number))}>
            {t('Rename')}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={asking(() => copy(instance_id, t('Instance ID')))}>
            {t('Copy instance ID')}
          </Menu.Item>
          <Menu.Divider />
          {status !== 'close' && phone_number !== null && (
            <Menu.Item leftSection={<IconLinkOff size={16} aria-hidden />} onClick={asking(() => onAsk('disconnect', number))}>
              {t('Disconnect')}
            </Menu.Item>
          )}
          <Menu.Item
            c="var(--mantine-color-red-text)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={asking(() => onAsk('delete', number))}
          >
            {t('Delete')}
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}
