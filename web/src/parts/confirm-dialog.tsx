import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { FailureAlert } from './failure-alert.tsx';
import { keepFocusOnPage } from './kept-focus.ts';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What happens, and what is lost. */
  readonly children: ReactNode;
  /** The button's word: "Revoke key". */
  readonly confirm: string;
  readonly danger?: boolean;
  /** A word to be typed before the button works. */
  readonly typed?: string;
  readonly busy: boolean;
  readonly error: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Asks once more before something that cannot be taken back. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  danger = true,
  typed,
  busy,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const ready = typed === undefined || text.trim() === typed;
  const ended = () => {
    setText('');
    keepFocusOnPage();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) onConfirm();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered onExitTransitionEnd={ended}>
      <form onSubmit={submit}>
        <Stack>
          {children}
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to confirm`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <FailureAlert error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" {...(danger ? { color: 'red' } : {})} loading={busy} disabled={!ready}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
