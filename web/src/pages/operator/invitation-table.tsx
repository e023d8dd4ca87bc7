import { Button, Text, Title } from '@mantine/core';
import type { InvitationView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type Column, RecordTable } from '../../parts/record-table.tsx';
import { roleName } from '../../parts/role-name.ts';
import { useChange } from './use-change.ts';

interface InvitationTableProps {
  readonly invitations: readonly InvitationView[];
  /** Whether it says where each leads. */
  readonly places: boolean;
  /** Of its heading. */
  readonly order: 2 | 3;
}

/** Invitations nobody has used yet. */
export function InvitationTable({ invitations, places, order }: InvitationTableProps) {
  const withdraw = useChange(
    ({ invitation_id }: InvitationView) =>
      call(`/portal/api/operator/invitations/${encodeURIComponent(invitation_id)}`, { method: 'DELETE' }),
    { said: (_, { email }) => `The invitation of ${email} is withdrawn.`, onDone: () => undefined },
  );
  const place: Column<InvitationView> = { label: 'Leads to', long: true, cell: ({ leads_to }) => leads_to ?? 'The gateway' };
  return (
    <>
      <Title order={order} size={order === 2 ? 'h4' : 'h5'} mt="xs">
        Open invitations
      </Title>
      <FailureAlert error={withdraw.error} />
      <RecordTable
        label="Open invitations"
        rows={invitations}
        keyOf={({ invitation_id }) => invitation_id}
        columns={[
          {
            label: 'E-mail address',
            cell: ({ email }) => (
              <Text size="sm" fw={600}>
                {email}
              </Text>
            ),
          },
          { label: 'Role', cell: ({ role }) => roleName(role) },
          ...(places ? [place] : []),
          { label: 'Works until', cell: ({ expires_at }) => <Moment at={expires_at} size="sm" /> },
        ]}
        actions={(invitation) => (
          <Button
            variant="default"
            size="xs"
            onClick={() => withdraw.mutate(invitation)}
            loading={withdraw.isPending && withdraw.variables.invitation_id === invitation.invitation_id}
            aria-label={`Withdraw the invitation of ${invitation.email}`}
          >
            Withdraw
          </Button>
        )}
      />
    </>
  );
}
