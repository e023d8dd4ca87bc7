import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { FailureAlert } from '../../../parts/failure-alert.tsx';

interface PasswordStepProps {
  /** Why it is asked, and what follows. */
  readonly children: ReactNode;
  /** The button's words. */
  readonly confirm: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  onConfirm(password: string): void;
  onClose(): void;
}

/** Asks for the person's password before something about the sign-in is changed. */
export function PasswordStep({ children, confirm, danger = false, busy, error, onConfirm, onClose }: PasswordStepProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onConfirm(String(new FormData(event.currentTarget).get('password')));
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
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} {...(danger ? { color: 'red' } : {})}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
