import { TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../language/language.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';

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
  /** What is set off. */
  readonly change: { readonly error: unknown; readonly isPending: boolean };
  onConfirm(): void;
  onClose(): void;
}

/** Asks for confirmation of something that cannot be undone. */
export function ConfirmDialog({ opened, title, ...question }: ConfirmDialogProps) {
  return (
    <Dialog opened={opened} onClose={question.onClose} title={title}>
      <Question {...question} />
    </Dialog>
  );
}

/** Is made anew whenever the dialog opens, so what was typed or failed the time before is gone. */
function Question({ children, confirm, danger = true, typed, change, onConfirm, onClose }: Omit<ConfirmDialogProps, 'opened' | 'title'>) {
  const [text, setText] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  const ready = typed === undefined || text.trim() === typed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    setConfirmed(true);
    onConfirm();
  };
  return (
    <DialogForm
      onSubmit={submit}
      change={{ error: confirmed ? change.error : null, isPending: change.isPending }}
      confirm={confirm}
      danger={danger}
      ready={ready}
      onCancel={onClose}
    >
      {children}
      {typed !== undefined && (
        <TextInput
          label={t('Type {{typed}} to confirm', { typed })}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          // The keyboards of phones begin with a capital.
          autoCapitalize="none"
          data-autofocus
        />
      )}
    </DialogForm>
  );
}
