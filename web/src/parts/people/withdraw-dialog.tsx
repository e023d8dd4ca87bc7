import { Text } from '@mantine/core';
import type { InvitationView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { Trans, t } from '../../language/language.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { useChange } from '../use-change.ts';
import { type InvitedAt, invitationsAt } from './resend.tsx';

interface WithdrawDialogProps {
  readonly opened: boolean;
  readonly invitation: InvitationView;
  readonly at: InvitedAt;
  onClose(): void;
}

/** Takes an invitation back, after saying what that does. */
export function WithdrawDialog({ opened, invitation, at, onClose }: WithdrawDialogProps) {
  const { base, account } = invitationsAt(at);
  const withdraw = useChange(
    ({ invitation_id }: InvitationView) => call(`DELETE ${base}/:id`, { params: { id: invitation_id }, account }),
    { said: (_, { email }) => t('The invitation for {{email}} has been withdrawn.', { email }) },
  );
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
