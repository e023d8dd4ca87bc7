import { Button, Text, Title } from '@mantine/core';
import type { InvitationView } from '../../../../src/portal/wire/index.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { Moment } from '../moment.tsx';
import { type Column, RecordTable } from '../record-table.tsx';
import { useQuestion } from '../use-question.ts';
import { roleName } from './role-name.ts';

interface InvitationListProps {
  readonly invitations: readonly InvitationView[];
  /** Whether it says where each leads. */
  readonly places?: boolean;
  /** Of its heading. */
  readonly order: 2 | 3;
  /** Takes one back. */
  readonly withdraw: {
    readonly isPending: boolean;
    readonly error: unknown;
    mutate(invitation: InvitationView, options: { onSuccess(): void }): void;
    reset(): void;
  };
}

const email: Column<InvitationView> = {
  label: 'E-mail address',
  cell: (invitation) => (
    <Text size="sm" fw={600}>
      {invitation.email}
    </Text>
  ),
};
const role: Column<InvitationView> = { label: 'Role', cell: (invitation) => roleName(invitation.role) };
const place: Column<InvitationView> = { label: 'Leads to', long: true, cell: ({ leads_to }) => leads_to ?? 'The gateway' };
const end: Column<InvitationView> = { label: 'Works until', cell: ({ expires_at }) => <Moment at={expires_at} size="sm" /> };

/** Invitations nobody has used yet. */
export function InvitationList({ invitations, places = false, order, withdraw }: InvitationListProps) {
  const question = useQuestion<InvitationView>();
  const ask = (invitation: InvitationView) => {
    withdraw.reset();
    question.ask(invitation);
  };
  return (
    <>
      <Title order={order} size={order === 2 ? 'h4' : 'h5'} mt="xs">
        Open invitations
      </Title>
      <RecordTable
        label="Open invitations"
        rows={invitations}
        keyOf={({ invitation_id }) => invitation_id}
        columns={[email, role, ...(places ? [place] : []), end]}
        actions={(invitation) => (
          <Button variant="default" size="xs" onClick={() => ask(invitation)} aria-label={`Withdraw the invitation of ${invitation.email}`}>
            Withdraw
          </Button>
        )}
      />
      {question.about !== null && (
        <ConfirmDialog
          opened={question.opened}
          title="Withdraw the invitation?"
          confirm="Withdraw"
          change={withdraw}
          onConfirm={() => question.about !== null && withdraw.mutate(question.about, { onSuccess: question.close })}
          onClose={question.close}
        >
          <Text size="sm">
            The link that <b>{question.about.email}</b> was given stops working at once. You can invite them again at any time.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
