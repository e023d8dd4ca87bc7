import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus, IconUserCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { UserView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChoiceBar } from '../../parts/list/choice-bar.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { listQuery, useChosen, useListAddress, withoutPage } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { InviteAnyone } from './invite-anyone.tsx';
import { PeopleTabs, RoleFilter } from './people-parts.tsx';
import { usersKey, usersPath } from './queries.ts';
import { RemoveRolesAction } from './remove-roles-action.tsx';
import { UserTable } from './user-table.tsx';

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'name', label: t('By name') },
  { value: 'email', label: t('By e-mail address') },
];

/** All people with a role. */
export default function UsersPage() {
  const search = useSearch({ from: '/signed-in/operator/users' });
  const { narrow, page } = useListAddress(search);
  const users = useQuery(listQuery<UserView>(usersKey, usersPath, search));
  const choice = useChosen(search);
  const sort = search.sort ?? '-created';
  const { sort: _, ...filters } = withoutPage(search);
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader title={t('People')} text={t('Who can sign in to the portal, and in which role.')}>
        <Button leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
          {t('Invite a person')}
        </Button>
      </PageHeader>
      <PeopleTabs />
      <Stack gap="sm">
        <Group gap="sm">
          <SearchField
            value={search.search ?? ''}
            label={t('Find a person')}
            placeholder={t('Find by name or e-mail address')}
            onChange={(text) => narrow({ search: text }, { typing: true })}
          />
          <RoleFilter value={search.role} onChange={(role) => narrow({ role })} />
        </Group>
        <Answered query={users} loading={<ListLoading label={t('Loading the people')} />}>
          {(found) =>
            found.rows.length === 0 ? (
              <Nobody looking={Object.keys(filters).length > 0} />
            ) : (
              <>
                <ListTools
                  count={t('{{count}} people', { count: found.total ?? 0, defaultValue_one: '{{count}} person' })}
                  path={usersPath}
                  search={search}
                  orders={{ value: sort, sorts: orders(), onSort: (next) => narrow({ sort: next }) }}
                />
                <ChoiceBar choice={choice} path={usersPath} search={search} total={found.total}>
                  <RemoveRolesAction ids={[...choice.chosen]} role={search.role} onDone={choice.clear} />
                </ChoiceBar>
                <UserTable users={found.rows} order={{ sort, onSort: (next) => narrow({ sort: next }) }} choice={choice} />
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
    return <NothingFits>{t('Nobody matches.')}</NothingFits>;
  }
  return (
    <EmptyState
      icon={<IconUserCog size={28} />}
      title={t('Nobody yet')}
      text={t('People who accept an invitation are listed here with their roles.')}
    />
  );
}
