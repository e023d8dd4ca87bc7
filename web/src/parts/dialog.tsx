import { Modal, type ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../language/language.ts';
import { HeldDialogProvider } from './held-dialog.ts';
import { keepFocusOnPage } from './kept-focus.ts';

interface DialogProps extends Pick<ModalProps, 'opened' | 'title' | 'size' | 'children' | 'onClose'> {
  /** A request is under way whose answer is shown, or leads on, only from here: the dialog and the page stay until then. */
  readonly busy?: boolean;
  /** The dialog shows a value that cannot be shown again, so only a button inside it closes it. */
  readonly shownOnce?: boolean;
  /** Called when the dialog has faded out. */
  onClosed?(): void;
}

/**
 * A dialog in the middle of the page. A click beside it, Escape and the browser's back button close it, unless something would be lost; then
 * the browser also asks before the page is left. While a request of its form is under way, only the back button does: a later answer would
 * close the next question, and a failure would be told to nobody.
 */
export function Dialog({ busy = false, shownOnce = false, onClosed, children, ...modal }: DialogProps) {
  const [held, setHeld] = useState(false);
  // Only a Modal that is there before it opens notes where the focus came from.
  const mounted = useMounted();
  const needed = busy || shownOnce;
  const locked = held || needed;
  // Going back and links to other pages are blocked. REPLACE is not: it closes dialogs that are part of the address.
  useBlocker({ shouldBlockFn: ({ action }) => action !== 'REPLACE', disabled: !(modal.opened && needed) });
  const closed = () => {
    onClosed?.();
    keepFocusOnPage();
  };
  return (
    <Modal
      {...modal}
      opened={modal.opened && mounted}
      centered
      onExitTransitionEnd={closed}
      closeOnClickOutside={!locked}
      closeOnEscape={!locked}
      withCloseButton={!shownOnce}
      closeButtonProps={{ 'aria-label': t('Close'), disabled: held || busy }}
    >
      <HeldDialogProvider value={setHeld}>{children}</HeldDialogProvider>
    </Modal>
  );
}
