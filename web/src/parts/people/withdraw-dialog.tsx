import { Text } from '@mantine/core';
import type { InvitationView } from '../../../../src/portal/wire/account.ts';
import { Trans, t } from '../../language/language.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';

/** Takes an invitation back. */
export interface Withdraw {
  readonly isPending: boolean;
  readonly error: unknown;
  mutate(invitation: InvitationView, options: { onSuccess(): void }): void;
}

interface WithdrawDialogProps {
  readonly opened: boolean;
  readonly invitation: InvitationView;
  readonly withdraw: Withdraw;
  onClose(): void;
}

/** Asks before an invitation is taken back. */
export function WithdrawDialog({ opened, invitation, withdraw, onClose }: WithdrawDialogProps) {
  return (
    <ConfirmDialog
      opened={opened}
      title={t('Withdraw the invitation?')}
      confirm={t('Withdraw')}
      change={withdraw}
      onConfirm={() => withdraw.mutate(invitation, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        <Trans
          i18nKey="The link that <b>{{email}}</b> was given stops working at once. You can invite them again at any time."
          values={{ email: invitation.email }}
          components={{ b: <b /> }}
        />
      </Text>
    </ConfirmDialog>
  );
}
