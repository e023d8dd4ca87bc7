import { Button } from '@mantine/core';
import { IconMail, IconMailX } from '@tabler/icons-react';
import { useState } from 'react';
import type { InvitationDetail } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { useQuestion } from '../use-question.ts';
import { type InvitedAt, ResendDialog } from './resend.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

export interface InvitationActionsProps {
  readonly invitation: InvitationDetail;
  /** Where it is sent again from, or taken back. */
  readonly at: InvitedAt;
  /** Told of the invitation that was sent instead, once its link has been seen. */
  onResent(invitationId: string): void;
}

/** Sends an invitation again or takes it back, as long as it is open. */
export function InvitationActions({ invitation, at, onResent }: InvitationActionsProps) {
  const resending = useQuestion<true>();
  const withdrawing = useQuestion<true>();
  const [madeId, setMadeId] = useState<string | null>(null);
  const close = () => {
    resending.close();
    if (madeId !== null) onResent(madeId);
  };
  return (
    <>
      {invitation.state === 'open' && (
        <>
          <Button variant="default" leftSection={<IconMailX size={18} aria-hidden />} onClick={() => withdrawing.ask(true)}>
            {t('Withdraw')}
          </Button>
          <Button leftSection={<IconMail size={18} aria-hidden />} onClick={() => resending.ask(true)}>
            {t('Send again')}
          </Button>
        </>
      )}
      <ResendDialog
        opened={resending.opened}
        invitation={invitation}
        at={at}
        onMade={({ invitation_id }) => setMadeId(invitation_id)}
        onClose={close}
      />
      <WithdrawDialog opened={withdrawing.opened} invitation={invitation} at={at} onClose={withdrawing.close} />
    </>
  );
}
