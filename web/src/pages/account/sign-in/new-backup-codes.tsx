import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { BackupCodes } from './backup-codes.tsx';
import { PasswordStep } from './password-step.tsx';

interface NewBackupCodesProps {
  /** From now on the dialog is closed by its own button only. */
  onHold(): void;
  onClose(): void;
}

/** Makes new backup codes in the place of those from before. */
export function NewBackupCodes({ onHold, onClose }: NewBackupCodesProps) {
  const make = useMutation({
    mutationFn: (password: string) =>
      call<{ readonly backup_codes: readonly string[] }>('/portal/auth/two-factor/backup-codes', { method: 'POST', body: { password } }),
    onSuccess: onHold,
  });
  if (make.data === undefined) {
    return (
      <PasswordStep
        confirm="Make new codes"
        busy={make.isPending}
        error={make.error}
        onConfirm={(password) => make.mutate(password)}
        onClose={onClose}
      >
        Make new codes when you have used most of the old ones, or when somebody may have seen them. The old ones stop working.
      </PasswordStep>
    );
  }
  return (
    <BackupCodes codes={make.data.backup_codes} onDone={onClose}>
      Keep these codes where you find them without your phone: each lets you in once when the app is lost.
    </BackupCodes>
  );
}
