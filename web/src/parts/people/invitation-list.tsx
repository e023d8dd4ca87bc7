import { Anchor, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InvitationView } from '../../../../src/portal/wire/account.ts';
import { t } from '../../language/language.ts';
import { Moment } from '../moment.tsx';
import { type Column, RecordTable } from '../record-table.tsx';
import { useQuestion } from '../use-question.ts';
import { invitationPage, type PagesOfPeople } from './pages.ts';
import { type InvitedAt, ResendDialog } from './resend.tsx';
import { roleName } from './role-name.ts';
import { WithdrawDialog } from './withdraw-dialog.tsx';

interface InvitationListProps {
  readonly invitations: readonly InvitationView[];
  /** Whether it says where each leads. */
  readonly places?: boolean;
  /** The list on the server: its order, as it is asked for it. */
  readonly order?: { readonly sort: string; onSort(sort: string): void };
  /** Where one is sent again from, or taken back. */
  readonly at: InvitedAt;
  /** Which page of each the addresses lead to. */
  readonly pages: PagesOfPeople;
}

const emailOf = (pages: PagesOfPeople): Column<InvitationView> => ({
  label: t('E-mail address'),
  long: true,
  sort: 'email',
  cell: ({ invitation_id, email }) => (
    <Anchor size="sm" fw={600} renderRoot={(props) => <Link {...invitationPage(invitation_id, pages)} {...props} />}>
      {email}
    </Anchor>
  ),
});
const role: Column<InvitationView> = { label: t('Role'), long: true, cell: (invitation) => roleName(invitation.role) };
const place: Column<InvitationView> = { label: t('Access to'), long: true, cell: ({ leads_to }) => leads_to ?? t('The gateway') };
const made: Column<InvitationView> = {
  label: t('Created', { context: 'invitation' }),
  sort: 'created',
  cell: ({ created_at }) => <Moment at={created_at} day size="sm" />,
};
const end: Column<InvitationView> = {
  label: t('Valid until'),
  sort: 'expires',
  cell: ({ expires_at }) => <Moment at={expires_at} size="sm" />,
};

/** Invitations nobody has used yet. */
export function InvitationList({ invitations, places = false, pages, order, at }: InvitationListProps) {
  const question = useQuestion<InvitationView>();
  const resending = useQuestion<InvitationView>();
  return (
    <>
      <RecordTable
        label={t('Pending invitations')}
        rows={invitations}
        keyOf={({ invitation_id }) => invitation_id}
        {...(order === undefined ? {} : { order })}
        columns={[emailOf(pages), role, ...(places ? [place, made] : []), end]}
        actions={(invitation) => (
          <Group gap={6} justify="flex-end" wrap="nowrap">
            <Button
              variant="default"
              size="xs"
              onClick={() => resending.ask(invitation)}
              aria-label={`${t('Send again')}: ${invitation.email}`}
            >
              {t('Send again')}
            </Button>
            <Button
              variant="default"
              size="xs"
              onClick={() => question.ask(invitation)}
              aria-label={t('Withdraw the invitation for {{email}}', { email: invitation.email })}
            >
              {t('Withdraw')}
            </Button>
          </Group>
        )}
      />
      {resending.about !== null && (
        <ResendDialog
          key={resending.about.invitation_id}
          opened={resending.opened}
          invitation={resending.about}
          at={at}
          onClose={resending.close}
        />
      )}
      {question.about !== null && <WithdrawDialog opened={question.opened} invitation={question.about} at={at} onClose={question.close} />}
    </>
  );
}
