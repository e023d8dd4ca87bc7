import { PasswordInput, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { DialogEnd } from '../../../parts/dialog-end.tsx';

interface PasswordStepProps {
  /** Why it is asked, and what follows. */
  readonly children: ReactNode;
  /** The button's words. */
  readonly confirm: string;
  readonly danger?: boolean;
  /** What the password is needed for. */
  readonly change: { readonly error: unknown; readonly isPending: boolean; mutate(password: string): void };
  onClose(): void;
}

/** Asks for the person's password before something about the sign-in is changed. */
export function PasswordStep({ children, confirm, danger = false, change, onClose }: PasswordStepProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate(String(new FormData(event.currentTarget).get('password')));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{children}</Text>
        <PasswordInput
          name="password"
          label="Your password"
          autoComplete="current-password"
          maxLength={128}
          required
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <DialogEnd change={change} danger={danger} onCancel={onClose}>
          {confirm}
        </DialogEnd>
      </Stack>
    </form>
  );
}
