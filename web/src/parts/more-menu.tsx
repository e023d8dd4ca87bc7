import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { t } from '../language/language.ts';

interface MoreMenuProps {
  readonly name: string;
  readonly width: number;
  readonly busy?: boolean;
  /** The entries. Those that open a dialog wrap their handler in `asking`. */
  readonly children: (asking: (open: () => void) => () => void) => ReactNode;
}

/** What can be done with one record of a list. */
export function MoreMenu({ name, width, busy = false, children }: MoreMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // A dialog returns the focus to the element that had it, and a menu entry would be gone by then.
  const asking = (open: () => void) => () => {
    button.current?.focus();
    open();
  };
  return (
    // Inside the page's main part, but outside of the list, which would cover it.
    <Menu position="bottom-end" width={width} portalProps={{ target: '#page' }}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size="lg" aria-label={t('More for {{name}}', { name })} loading={busy}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children(asking)}</Menu.Dropdown>
    </Menu>
  );
}
