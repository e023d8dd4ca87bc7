import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureAlert } from './failure-alert.tsx';

interface DialogEndProps {
  /** What the form sets off. */
  readonly change: { readonly error: unknown; readonly isPending: boolean };
  /** The button's words. */
  readonly children: ReactNode;
  /** What the button does cannot be undone. */
  readonly danger?: boolean;
  /** Whether the button works. */
  readonly ready?: boolean;
  onCancel(): void;
}

/** The end of a form in a dialog: what went wrong, the way out, and the button that sends it. */
export function DialogEnd({ change, children, danger = false, ready = true, onCancel }: DialogEndProps) {
  return (
    <>
      <FailureAlert error={change.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} disabled={change.isPending}>
          Cancel
        </Button>
        <Button type="submit" {...(danger ? { color: 'red' } : {})} loading={change.isPending} disabled={!ready}>
          {children}
        </Button>
      </Group>
    </>
  );
}
