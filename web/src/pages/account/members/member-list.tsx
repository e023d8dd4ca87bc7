import { ActionIcon, Badge, Group, Menu, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconUserDown, IconUserMinus, IconUserUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { MemberView } from '../../../../../src/portal/wire/index.ts';
import { Moment } from '../../../parts/moment.tsx';
import { RecordTable } from '../../../parts/record-table.tsx';
import { roleName } from '../../../parts/role-name.ts';
import { useSession } from '../../../session/session.ts';
import { MemberDialog, type MemberQuestion } from './member-dialog.tsx';

/** The people of the account with what can be done about each. */
export function MemberList({ members }: { readonly members: readonly MemberView[] }) {
  const [asked, setAsked] = useState<MemberQuestion | null>(null);
  const [opened, { open, close }] = useDisclosure(false);
  if (members.length === 0) {
    return (
      <Paper withBorder radius="lg" p="lg">
        <Text size="sm" c="dimmed">
          Nobody has joined this account yet. Invite an owner first.
        </Text>
      </Paper>
    );
  }
  const ask = (question: MemberQuestion) => {
    setAsked(question);
    open();
  };
  return (
    <>
      <RecordTable
        label="Members"
        rows={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          { label: 'Person', cell: (member) => <Person member={member} /> },
          { label: 'Role', cell: ({ role }) => roleName(role) },
          { label: 'Two-factor', cell: ({ two_factor }) => (two_factor ? 'On' : 'Off') },
          { label: 'Joined', cell: ({ joined_at }) => <Moment at={joined_at} day size="sm" /> },
        ]}
        actions={(member) => <MemberMenu member={member} onAsk={ask} />}
      />
      {asked !== null && <MemberDialog key={`${asked.member.user_id} ${asked.change}`} opened={opened} question={asked} onClose={close} />}
    </>
  );
}

function Person({ member: { user_id, name, email } }: { readonly member: MemberView }) {
  const { user } = useSession();
  return (
    <>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        {user_id === user.user_id && (
          <Badge size="sm" variant="light" color="gray" autoContrast>
            You
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </>
  );
}

function MemberMenu({ member, onAsk }: { readonly member: MemberView; onAsk(question: MemberQuestion): void }) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`More for ${member.name}`}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {member.role === 'owner' ? (
          <Menu.Item leftSection={<IconUserDown size={16} aria-hidden />} onClick={() => onAsk({ member, change: 'member' })}>
            Make a member
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconUserUp size={16} aria-hidden />} onClick={() => onAsk({ member, change: 'owner' })}>
            Make an owner
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconUserMinus size={16} aria-hidden />} onClick={() => onAsk({ member, change: 'remove' })}>
          Remove from the account
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
