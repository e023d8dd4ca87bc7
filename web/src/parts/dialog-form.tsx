import { Button, Group, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../language/language.ts';
import { FailureAlert } from './failure-alert.tsx';
import { useHeldDialog } from './held-dialog.ts';

interface DialogFormProps {
  readonly change: { readonly error: unknown; readonly isPending: boolean };
  /** The label of the button that sends the form: "Create key". */
  readonly confirm: string;
  /** The action cannot be undone. */
  readonly danger?: boolean;
  /** False while the form cannot be sent. */
  readonly ready?: boolean;
  /** The fields. */
  readonly children: ReactNode;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel(): void;
}

/** A form in a dialog: its fields, the failure of its request, and the buttons. The dialog stays until the request is answered. */
export function DialogForm({ change, confirm, danger = false, ready = true, children, onSubmit, onCancel }: DialogFormProps) {
  useHeldDialog(change.isPending);
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {children}
        <FailureAlert error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={change.isPending}>
            {t('Cancel')}
          </Button>
          <Button type="submit" {...(danger ? { color: 'red' } : {})} loading={change.isPending} disabled={!ready}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
