import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Answered } from '../../../parts/answered.tsx';
import { InvitationList } from '../../../parts/invitation-list.tsx';
import { useAccountId } from '../../../session/session.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberList } from './member-list.tsx';
import { membersQuery, useWithdraw } from './members.ts';

/** Who belongs to the account and who is invited, for those who decide about it. */
export function MembersPart() {
  const members = useQuery(membersQuery(useAccountId()));
  const withdraw = useWithdraw();
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text c="dimmed" size="sm" flex="1 1 260px">
          Members use everything of this account: numbers, keys and messages. Owners also decide who belongs to it.
        </Text>
        <Button leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
          Invite
        </Button>
      </Group>
      <Answered query={members} loading={<Loading />}>
        {({ members: people, invitations }) => (
          <>
            <MemberList members={people} />
            {invitations.length > 0 && <InvitationList invitations={invitations} order={2} withdraw={withdraw} />}
          </>
        )}
      </Answered>
      <InviteDialog opened={inviting} onClose={close} />
    </Stack>
  );
}

function Loading() {
  return (
    <Stack gap="xs" role="status" aria-label="Loading the members">
      <Skeleton h={56} radius="md" />
      <Skeleton h={56} radius="md" />
    </Stack>
  );
}
