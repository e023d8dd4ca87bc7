import { Button, Menu, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus, IconUserDown, IconUserMinus, IconUserUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountView, MemberView, Role } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { Answered } from '../../parts/answered.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { InvitationList } from '../../parts/invitation-list.tsx';
import { Moment } from '../../parts/moment.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { roleName } from '../../parts/role-name.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { ListLoading } from './list-parts.tsx';
import { MoreMenu } from './more-menu.tsx';
import { PersonName } from './person-name.tsx';
import { membersQuery } from './queries.ts';
import { Section } from './section.tsx';
import { useChange } from './use-change.ts';
import { useWithdraw } from './use-withdraw.ts';

/** Who belongs to an account, and who is invited. */
export function AccountPeople({ account }: { readonly account: AccountView }) {
  const { account_id } = account;
  const members = useQuery(membersQuery(account_id));
  const withdraw = useWithdraw();
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="People"
      actions={
        <Button variant="default" leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
          Invite
        </Button>
      }
    >
      <Answered query={members} loading={<ListLoading label="Loading the people" rows={2} />}>
        {({ members: people, invitations }) => (
          <>
            {people.length === 0 && (
              <Paper withBorder radius="lg" p="lg">
                <Text size="sm" c="dimmed">
                  Nobody has joined yet. Invite an owner: they link numbers, make keys and invite others.
                </Text>
              </Paper>
            )}
            {people.length > 0 && <MemberTable account={account} members={people} />}
            {invitations.length > 0 && <InvitationList invitations={invitations} order={3} withdraw={withdraw} />}
          </>
        )}
      </Answered>
      <InviteDialog opened={inviting} account={account} onClose={close} />
    </Section>
  );
}

interface MemberTableProps {
  readonly account: AccountView;
  readonly members: readonly MemberView[];
}

function MemberTable({ account, members }: MemberTableProps) {
  const [asked, setAsked] = useState<MemberView | null>(null);
  const [removing, { open, close }] = useDisclosure(false);
  const change = useChange(
    ({ user_id, role }: MemberView) => memberCall(account.account_id, user_id, { method: 'PATCH', body: { role: otherRole(role) } }),
    { said: (_, { name, role }) => `${name} is ${otherRole(role) === 'owner' ? 'an owner' : 'a member'} now.` },
  );
  return (
    <>
      <FailureAlert error={change.error} />
      <RecordTable
        label="People"
        rows={members}
        keyOf={({ user_id }) => user_id}
        columns={[
          { label: 'Person', cell: (member) => <PersonName person={member} /> },
          { label: 'Role', cell: ({ role }) => roleName(role) },
          { label: 'Two-factor', cell: ({ two_factor }) => (two_factor ? 'On' : 'Off') },
          { label: 'Joined', cell: ({ joined_at }) => <Moment at={joined_at} day size="sm" /> },
        ]}
        actions={(member) => (
          <MemberMenu
            member={member}
            busy={change.isPending && change.variables.user_id === member.user_id}
            onChange={() => change.mutate(member)}
            onRemove={() => {
              setAsked(member);
              open();
            }}
          />
        )}
      />
      {asked !== null && <RemoveMember key={asked.user_id} opened={removing} account={account} member={asked} onClose={close} />}
    </>
  );
}

const otherRole = (role: Role) => (role === 'owner' ? 'member' : 'owner');

interface MemberMenuProps {
  readonly member: MemberView;
  readonly busy: boolean;
  onChange(): void;
  onRemove(): void;
}

function MemberMenu({ member: { name, role }, busy, onChange, onRemove }: MemberMenuProps) {
  const rises = otherRole(role) === 'owner';
  return (
    <MoreMenu name={name} width={220} busy={busy}>
      {(asking) => (
        <>
          <Menu.Item leftSection={rises ? <IconUserUp size={16} aria-hidden /> : <IconUserDown size={16} aria-hidden />} onClick={onChange}>
            {rises ? 'Make an owner' : 'Make a member'}
          </Menu.Item>
          <Menu.Item c="var(--mantine-color-red-text)" leftSection={<IconUserMinus size={16} aria-hidden />} onClick={asking(onRemove)}>
            Remove from the account
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}

interface RemoveMemberProps {
  readonly opened: boolean;
  readonly account: AccountView;
  readonly member: MemberView;
  onClose(): void;
}

function RemoveMember({ opened, account, member: { user_id, name }, onClose }: RemoveMemberProps) {
  const remove = useChange(() => memberCall(account.account_id, user_id, { method: 'DELETE' }), {
    said: () => `${name} is removed from ${account.name}.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={`Remove ${name}?`}
      confirm="Remove"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        {name} can no longer open {account.name}, from the next click on. Keys that they made keep working.
      </Text>
    </ConfirmDialog>
  );
}

/** The members' own endpoints, asked on behalf of this account whichever one the tab acts for. */
function memberCall(accountId: string, userId: string, options: { readonly method: 'PATCH' | 'DELETE'; readonly body?: unknown }) {
  return call(`/portal/api/members/${encodeURIComponent(userId)}`, { ...options, account: accountId });
}
