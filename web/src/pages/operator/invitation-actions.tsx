import { Button } from '@mantine/core';
import { IconMail, IconMailX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { InvitationDetail } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { ResendDialog } from '../../parts/people/resend.tsx';
import { WithdrawDialog } from '../../parts/people/withdraw-dialog.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { useWithdrawAnywhere } from './use-withdraw.ts';

/** Sends an invitation again or takes it back, as long as it is open. */
export function InvitationActions({ invitation }: { readonly invitation: InvitationDetail }) {
  const navigate = useNavigate();
  const resending = useQuestion<true>();
  const withdrawing = useQuestion<true>();
  const [madeId, setMadeId] = useState<string | null>(null);
  const withdraw = useWithdrawAnywhere();
  const close = () => {
    resending.close();
    // The one that was sent instead.
    if (madeId !== null)
      void navigate({ to: '/operator/users/invitations/$invitationId', params: { invitationId: madeId }, replace: true });
  };
  return (
    <>
      {invitation.state === 'open' && (
        <>
          <Button leftSection={<IconMail size={18} aria-hidden />} onClick={() => resending.ask(true)}>
            {t('Send again')}
          </Button>
          <Button variant="default" leftSection={<IconMailX size={18} aria-hidden />} onClick={() => withdrawing.ask(true)}>
            {t('Withdraw')}
          </Button>
        </>
      )}
      <ResendDialog
        opened={resending.opened}
        invitation={invitation}
        at="anywhere"
        onMade={({ invitation_id }) => setMadeId(invitation_id)}
        onClose={close}
      />
      <WithdrawDialog opened={withdrawing.opened} invitation={invitation} withdraw={withdraw} onClose={withdrawing.close} />
    </>
  );
}
