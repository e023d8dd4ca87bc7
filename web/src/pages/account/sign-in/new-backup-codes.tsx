import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { PasswordStep } from './password-step.tsx';

/** Replaces the backup codes; the new ones are shown once. */
export function NewBackupCodes({ opened, onClose }: { readonly opened: boolean; onClose(): void }) {
  const make = useMutation({
    mutationFn: (body: { readonly password: string }) => call('POST /portal/auth/two-factor/backup-codes', { body }),
  });
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={make.reset}
      title={t('New backup codes')}
      busy={make.isPending}
      shownOnce={make.data !== undefined}
    >
      {make.data === undefined ? (
        <PasswordStep confirm={t('Create new codes')} change={make} onClose={onClose}>
          {t(
            'Create new codes when you have used most of the old ones, or if somebody may have seen them. The old ones will stop working.',
          )}
        </PasswordStep>
      ) : (
        <BackupCodes codes={make.data.backup_codes} onDone={onClose}>
          {t('Keep these codes somewhere you can reach without your phone. Each one signs you in once if you lose the app.')}
        </BackupCodes>
      )}
    </Dialog>
  );
}
