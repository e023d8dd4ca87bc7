import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, type Ref, type RefObject, useId, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../language/language.ts';
import classes from './more-menu.module.css';

interface MoreMenuProps {
  readonly name: string;
  readonly width: number;
  /** The entries. Those that open a dialog wrap their handler in `asking`. */
  readonly children: (asking: (open: () => void) => () => void) => ReactNode;
}

/** What can be done with one record of a list. Until it is asked for there is only its button, the browser's own: the menus of a list would take longer to draw than the list. */
export function MoreMenu({ name, width, children }: MoreMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  // A dialog returns the focus to the element that had it, and a menu entry would be gone by then.
  const asking = (open: () => void) => () => {
    button.current?.focus();
    open();
  };
  const toggle = () => {
    // The menu must be there before it opens: only then does it note where the focus came from.
    flushSync(() => setWanted(true));
    setOpened(!opened);
  };
  return (
    <>
      <button
        ref={button}
        id={id}
        type="button"
        className={`mantine-focus-auto mantine-active ${classes.button}`}
        aria-label={t('More for {{name}}', { name })}
        aria-haspopup="menu"
        aria-expanded={opened}
        aria-controls={opened ? `${id}-dropdown` : undefined}
        onClick={toggle}
      >
        <IconDots size={20} aria-hidden />
      </button>
      {wanted && (
        // Inside the page's main part, but outside of the list, which would cover it.
        <Menu id={id} position="bottom-end" width={width} portalProps={{ target: '#page' }} opened={opened} onChange={setOpened}>
          <Menu.Target>
            <Place of={button} />
          </Menu.Target>
          <Menu.Dropdown>{children(asking)}</Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

/** Leads the menu to its button, which was there before it. */
function Place({ of, ref }: { readonly of: RefObject<HTMLButtonElement | null>; readonly ref?: Ref<HTMLButtonElement | null> }) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => of.current, [of]);
  return null;
}
