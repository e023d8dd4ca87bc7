import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMail, IconMailPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { InvitationView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { listQuery, useListAddress, withoutPage } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { InvitationList } from '../../parts/people/invitation-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { InviteAnyone } from './invite-anyone.tsx';
import { PeopleTabs, RoleFilter } from './people-parts.tsx';
import { invitationsKey, invitationsPath } from './queries.ts';
import { useWithdrawAnywhere } from './use-withdraw.ts';

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'email', label: t('By e-mail address') },
  { value: 'expires', label: t('Ending soonest first') },
];

/** All invitations that nobody has used yet. */
export default function InvitationsPage() {
  const search = useSearch({ from: '/signed-in/operator/users/invitations' });
  const { narrow, page } = useListAddress(search);
  const invitations = useQuery(listQuery<InvitationView>(invitationsKey, invitationsPath, search));
  const sort = search.sort ?? '-created';
  const { sort: _, ...filters } = withoutPage(search);
  const withdraw = useWithdrawAnywhere();
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader title={t('Pending invitations')} text={t('Who was invited and has not joined yet. A link works for seven days.')}>
        <Button leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
          {t('Invite a person')}
        </Button>
      </PageHeader>
      <PeopleTabs />
      <Stack gap="sm">
        <Group gap="sm">
          <SearchField
            value={search.search ?? ''}
            label={t('Find an invitation')}
            placeholder={t('Find by e-mail address')}
            onChange={(text) => narrow({ search: text }, { typing: true })}
          />
          <RoleFilter value={search.role} onChange={(role) => narrow({ role })} />
        </Group>
        <Answered query={invitations} loading={<ListLoading label={t('Loading the invitations')} />}>
          {(found) =>
            found.rows.length === 0 ? (
              <Nobody looking={Object.keys(filters).length > 0} />
            ) : (
              <>
                <ListTools
                  count={t('{{count}} invitations', { count: found.total ?? 0, defaultValue_one: '{{count}} invitation' })}
                  path={invitationsPath}
                  search={search}
                  orders={{ value: sort, sorts: orders(), onSort: (next) => narrow({ sort: next }) }}
                />
                <InvitationList
                  invitations={found.rows}
                  places
                  pages="administrators"
                  order={{ sort, onSort: (next) => narrow({ sort: next }) }}
                  at="anywhere"
                  withdraw={withdraw}
                />
                <ListPager page={found} onPage={page} />
              </>
            )
          }
        </Answered>
      </Stack>
      <InviteAnyone opened={inviting} onClose={close} />
    </>
  );
}

function Nobody({ looking }: { readonly looking: boolean }) {
  if (looking) {
    return <NothingFits>{t('No invitation matches.')}</NothingFits>;
  }
  return (
    <EmptyState
      icon={<IconMail size={28} />}
      title={t('No pending invitations')}
      text={t('People you invite are listed here until they join.')}
    />
  );
}
