import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { InvitationView } from '../../../../../src/portal/wire/index.ts';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { RecordTable } from '../../../parts/record-table.tsx';
import { roleName } from '../../../parts/role-name.ts';
import { useWithdraw } from './members.ts';

/** Invitations nobody has used yet. */
export function InvitationList({ invitations }: { readonly invitations: readonly InvitationView[] }) {
  const [asked, setAsked] = useState<InvitationView | null>(null);
  const [opened, { open, close }] = useDisclosure(false);
  const withdraw = useWithdraw(close);
  const ask = (invitation: InvitationView) => {
    withdraw.reset();
    setAsked(invitation);
    open();
  };
  return (
    <>
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
          { label: 'Works until', cell: ({ expires_at }) => <Moment at={expires_at} size="sm" /> },
        ]}
        actions={(invitation) => (
          <Button variant="default" size="xs" onClick={() => ask(invitation)} aria-label={`Withdraw the invitation of ${invitation.email}`}>
            Withdraw
          </Button>
        )}
      />
      {asked !== null && (
        <ConfirmDialog
          opened={opened}
          title="Withdraw the invitation?"
          confirm="Withdraw"
          busy={withdraw.isPending}
          error={withdraw.error}
          onConfirm={() => withdraw.mutate(asked)}
          onClose={close}
        >
          <Text size="sm">
            The link that <b>{asked.email}</b> was given stops working at once. You can invite them again at any time.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}
