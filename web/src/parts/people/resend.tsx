import { Button, Group, Stack, Text } from '@mantine/core';
import type { InvitationView, NewInvitationView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../dialog.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { HandedLink } from '../handed-link.tsx';
import { useChange } from '../use-change.ts';

/** Where an invitation is sent again from, or taken back: an account's own page, which names the account, or the administrators'. */
export type InvitedAt = { readonly account: string } | 'anywhere';

/** The path of its invitations, and the account that is named with it. */
export function invitationsAt(at: InvitedAt) {
  return at === 'anywhere'
    ? ({ base: '/portal/api/operator/invitations', account: undefined } as const)
    : ({ base: '/portal/api/members/invitations', account: at.account } as const);
}

/** Makes an invitation's link anew and mails it again; the link before ends. */
export function useResend(at: InvitedAt) {
  const { base, account } = invitationsAt(at);
  return useChange(({ invitation_id }: Pick<InvitationView, 'invitation_id'>) =>
    call(`POST ${base}/:id/resend`, { params: { id: invitation_id }, body: {}, account }),
  );
}

interface ResendDialogProps {
  readonly opened: boolean;
  readonly invitation: InvitationView;
  readonly at: InvitedAt;
  onMade?(made: NewInvitationView): void;
  onClose(): void;
}

/** Sends an invitation again; the new link is shown once. */
export function ResendDialog({ opened, invitation, at, onMade, onClose }: ResendDialogProps) {
  const resend = useResend(at);
  const { data: made } = resend;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={resend.reset}
      title={t('Send the invitation again?')}
      busy={resend.isPending}
      shownOnce={made !== undefined}
    >
      {made === undefined ? (
        <Stack>
          <Text size="sm">{t('{{email}} gets a new link. The previous one stops working.', { email: invitation.email })}</Text>
          <FailureAlert error={resend.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={resend.isPending}>
              {t('Cancel')}
            </Button>
            <Button
              onClick={() => resend.mutate(invitation, { onSuccess: (done) => onMade?.(done) })}
              loading={resend.isPending}
              data-autofocus
            >
              {t('Send again')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <InvitationMade invitation={made} at={at} onMade={onMade} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface InvitationMadeProps {
  readonly invitation: NewInvitationView;
  readonly at: InvitedAt;
  /** Told of an invitation that replaces this one. */
  readonly onMade?: ((made: NewInvitationView) => void) | undefined;
  onClose(): void;
}

/** An invitation just made: its link, and another try when no mail went out. */
export function InvitationMade({ invitation, at, onMade, onClose }: InvitationMadeProps) {
  const resend = useResend(at);
  const made = resend.data ?? invitation;
  return (
    <Stack>
      <HandedLink link={made.link} email={made.email} mailed={made.mailed} expiresAt={made.expires_at} label={t('invitation link')} />
      <FailureAlert error={resend.error} />
      <Group justify="flex-end">
        {!made.mailed && (
          <Button variant="default" onClick={() => resend.mutate(made, { onSuccess: (done) => onMade?.(done) })} loading={resend.isPending}>
            {made.link === null ? t('Send again') : t('Make a new link')}
          </Button>
        )}
        <Button onClick={onClose} autoFocus disabled={resend.isPending}>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  );
}
