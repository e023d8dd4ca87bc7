import { Button, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { EmptyPanel } from '../empty-panel.tsx';
import { ListLoading } from '../list-parts.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberTable } from './member-table.tsx';
import { type AccountOfPeople, inviteMember, membersQuery } from './members.ts';
import type { PagesOfPeople } from './pages.ts';

interface PeopleProps {
  readonly account: AccountOfPeople;
  /** Of the heading over the invitations. */
  readonly order: 2 | 3;
  /** Whether inviting is the main action of the page. */
  readonly main?: boolean;
  readonly pages: PagesOfPeople;
  /** The layout around the list and the invite button. */
  readonly frame: (inviteButton: ReactNode, list: ReactNode) => ReactNode;
}

/** The members and invitations of an account, for people who manage them. */
export function People({ account, order, main = false, pages, frame }: PeopleProps) {
  const members = useQuery(membersQuery(account.account_id));
  const [inviting, { open, close }] = useDisclosure(false);
  const inviteButton = (
    <Button variant={main ? 'filled' : 'default'} leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
      {t('Invite')}
    </Button>
  );
  const list = (
    <Answered query={members} loading={<ListLoading label={t('Loading the people')} rows={2} />}>
      {({ members: people, invitations }) => (
        <>
          {people.length === 0 ? (
            <EmptyPanel>{t('Nobody has joined yet. Invite an owner: they link numbers, create keys and invite others.')}</EmptyPanel>
          ) : (
            <MemberTable account={account} members={people} pages={pages} />
          )}
          {invitations.length > 0 && (
            <>
              <Title order={order} size={order === 2 ? 'h4' : 'h5'} mt="xs">
                {t('Pending invitations')}
              </Title>
              <InvitationList invitations={invitations} pages={pages} at={{ account: account.account_id }} />
            </>
          )}
        </>
      )}
    </Answered>
  );
  return (
    <>
      {frame(inviteButton, list)}
      <InviteDialog
        opened={inviting}
        title={t('Invite to {{name}}', { name: account.name })}
        roles={['member', 'owner']}
        at={{ account: account.account_id }}
        invite={({ email, role }) => inviteMember(account, { email, role })}
        onClose={close}
      />
    </>
  );
}
