import { PasswordInput, Text } from '@mantine/core';
import { isNotEmpty } from '@mantine/form';
import type { ReactNode } from 'react';
import { t } from '../../../language/language.ts';
import { DialogForm } from '../../../parts/dialog-form.tsx';
import { useSentForm } from '../../../parts/use-sent-form.ts';

interface PasswordStepProps {
  /** Why it is asked, and what follows. */
  readonly children: ReactNode;
  /** The button's words. */
  readonly confirm: string;
  readonly danger?: boolean;
  /** What the password is needed for. */
  readonly change: { readonly error: unknown; readonly isPending: boolean; mutate(fields: { readonly password: string }): void };
  onClose(): void;
}

/** Asks for the person's password before something about the sign-in is changed. */
export function PasswordStep({ children, confirm, danger = false, change, onClose }: PasswordStepProps) {
  const { form, submit, failed } = useSentForm(change, {
    initialValues: { password: '' },
    validate: { password: isNotEmpty(t('Enter your password.')) },
  });
  return (
    <DialogForm onSubmit={submit} change={failed} confirm={confirm} danger={danger} onCancel={onClose}>
      <Text size="sm">{children}</Text>
      <PasswordInput
        label={t('Your password')}
        autoComplete="current-password"
        maxLength={128}
        required
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}
