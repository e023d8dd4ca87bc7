import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { accountsKey } from '../../../api/queries.ts';
import { t } from '../../../language/language.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { sessionQuery } from '../../../session/session.ts';
import { browsersQuery } from './browsers-query.ts';
import { PasswordStep } from './password-step.tsx';

/** Turns the second step off. */
export function DisableTwoFactor({ opened, onClose }: { readonly opened: boolean; onClose(): void }) {
  const queryClient = useQueryClient();
  const disable = useMutation({
    mutationFn: (body: { readonly password: string }) => call('POST /portal/auth/two-factor/disable', { body }),
    async onSuccess() {
      onClose();
      await queryClient.invalidateQueries(sessionQuery);
      void queryClient.invalidateQueries(browsersQuery);
      void queryClient.invalidateQueries({ queryKey: accountsKey });
      notifications.show({ message: t('Two-factor sign-in is off.') });
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} onClosed={disable.reset} title={t('Turn off two-factor sign-in?')}>
      <PasswordStep confirm={t('Turn off')} danger change={disable} onClose={onClose}>
        {t(
          'Your password alone will then be enough to sign in. The entry in your authenticator app and your backup codes will stop working.',
        )}
      </PasswordStep>
    </Dialog>
  );
}
