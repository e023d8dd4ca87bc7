import { Modal, type ModalProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { t } from '../language/language.ts';
import { keepFocusOnPage } from './kept-focus.ts';

interface DialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size' | 'children' | 'onClose'> {
  /** A request is under way: the dialog stays open until it is answered. */
  readonly pending?: boolean;
  /** The same, and its answer is shown only here, so the page stays too. */
  readonly busy?: boolean;
  /** The dialog shows a value that cannot be shown again, so only a button inside it closes it. */
  readonly shownOnce?: boolean;
  /** Called when the dialog has faded out. */
  onClosed?(): void;
}

/**
 * A dialog in the middle of the page. A click beside it, Escape and the browser's back button close it, unless something would be lost; then
 * the browser also asks before the page is left. While a request is pending, only the back button does.
 */
export function Dialog({ pending = false, busy = false, shownOnce = false, onClosed, ...modal }: DialogProps) {
  const needed = busy || shownOnce;
  const locked = pending || needed;
  // Going back and links to other pages are blocked. REPLACE is not: it closes dialogs that are part of the address.
  useBlocker({ shouldBlockFn: ({ action }) => action !== 'REPLACE', disabled: !(modal.opened && needed) });
  const closed = () => {
    onClosed?.();
    keepFocusOnPage();
  };
  return (
    <Modal
      {...modal}
      centered
      onExitTransitionEnd={closed}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      withCloseButton={!shownOnce}
      closeButtonProps={{ 'aria-label': t('Close'), disabled: pending || busy }}
    />
  );
}
