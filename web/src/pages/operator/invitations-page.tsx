import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMail, IconMailPlus } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { InvitationList } from '../../parts/people/invitation-list.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { InviteAnyone } from './invite-anyone.tsx';
import { PeopleTabs, RoleFilter } from './people-parts.tsx';
import { invitationsKey, invitationsPath } from './queries.ts';

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
  const list = useList({ queryKey: invitationsKey, path: invitationsPath, search });
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <>
      <ListPage
        list={list}
        title={t('Pending invitations')}
        text={t('Who was invited and has not joined yet. A link works for seven days.')}
        buttons={
          <Button leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
            {t('Invite a person')}
          </Button>
        }
        above={<PeopleTabs />}
        filters={
          <Group gap="sm">
            <SearchField {...list.find} label={t('Find an invitation')} placeholder={t('Find by e-mail address')} />
            <RoleFilter value={search.role} onChange={(role) => list.narrow({ role })} />
          </Group>
        }
        loading={<ListLoading label={t('Loading the invitations')} />}
        count={(count) => t('{{count}} invitations', { count, defaultValue_one: '{{count}} invitation' })}
        orders={orders()}
        none={
          <EmptyState
            icon={<IconMail size={28} />}
            title={t('No pending invitations')}
            text={t('People you invite are listed here until they join.')}
          />
        }
        nothingFits={t('No invitation matches.')}
      >
        {(invitations) => <InvitationList invitations={invitations} places pages="administrators" order={list.order} at="anywhere" />}
      </ListPage>
      <InviteAnyone opened={inviting} onClose={close} />
    </>
  );
}
