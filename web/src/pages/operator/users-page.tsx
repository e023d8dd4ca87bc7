import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus, IconUserCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { InvitationView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListLoading, Total } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { InvitationList } from '../../parts/people/invitation-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useChange } from '../../parts/use-change.ts';
import { InviteAnyone } from './invite-anyone.tsx';
import { usersQuery } from './queries.ts';
import { UserTable } from './user-table.tsx';

/** All people with a role, and all invitations. */
export default function UsersPage() {
  const { search = '' } = useSearch({ from: '/signed-in/operator/users' });
  const navigate = useNavigate({ from: '/operator/users' });
  const users = useQuery(usersQuery({ search }));
  const withdraw = useChange(
    ({ invitation_id }: InvitationView) =>
      call(`/portal/api/operator/invitations/${encodeURIComponent(invitation_id)}`, { method: 'DELETE' }),
    { said: (_, { email }) => `The invitation of ${email} is withdrawn.` },
  );
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader title="People" text="Who signs in to the portal, and as what.">
        <Button leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
          Invite a person
        </Button>
      </PageHeader>
      <Stack gap="sm">
        <SearchField
          value={search}
          label="Find a person"
          placeholder="Find by name or e-mail address"
          onChange={(text) => void navigate({ search: text === '' ? {} : { search: text }, replace: true })}
        />
        <Answered query={users} loading={<ListLoading label="Loading the people" />}>
          {({ users: found, invitations, total }) => (
            <>
              {total === 0 && <Nobody looking={search !== ''} />}
              {total > 0 && (
                <>
                  <Total shown={found.length} total={total} one="person" many="people" />
                  <UserTable users={found} />
                </>
              )}
              {invitations.length > 0 && <InvitationList invitations={invitations} places order={2} withdraw={withdraw} />}
            </>
          )}
        </Answered>
      </Stack>
      <InviteAnyone opened={inviting} onClose={close} />
    </>
  );
}

function Nobody({ looking }: { readonly looking: boolean }) {
  if (looking) {
    return <NothingFits>Nobody fits.</NothingFits>;
  }
  return (
    <EmptyState icon={<IconUserCog size={28} />} title="Nobody yet" text="Whoever accepts an invitation is listed here with their roles." />
  );
}
