import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus, IconUserCog } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
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
  const list = useList({ queryKey: usersKey, path: usersPath, search });
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <>
      <ListPage
        list={list}
        title={t('People')}
        text={t('Who can sign in to the portal, and in which role.')}
        buttons={
          <Button leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
            {t('Invite a person')}
          </Button>
        }
        above={<PeopleTabs />}
        filters={
          <Group gap="sm">
            <SearchField {...list.find} label={t('Find a person')} placeholder={t('Find by name or e-mail address')} />
            <RoleFilter value={search.role} onChange={(role) => list.narrow({ role })} />
          </Group>
        }
        loading={<ListLoading label={t('Loading the people')} />}
        count={(count) => t('{{count}} people', { count, defaultValue_one: '{{count}} person' })}
        orders={orders()}
        none={
          <EmptyState
            icon={<IconUserCog size={28} />}
            title={t('Nobody yet')}
            text={t('People who accept an invitation are listed here with their roles.')}
          />
        }
        nothingFits={t('Nobody matches.')}
        actions={(ids, onDone) => <RemoveRolesAction ids={ids} role={search.role} onDone={onDone} />}
      >
        {(users) => <UserTable users={users} order={list.order} choice={list.choice} />}
      </ListPage>
      <InviteAnyone opened={inviting} onClose={close} />
    </>
  );
}
