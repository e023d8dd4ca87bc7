import { List, Menu, Text } from '@mantine/core';
import { IconKey, IconUserMinus } from '@tabler/icons-react';
import type { UserView } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import type { Choice } from '../../parts/use-row-choice.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { RemoveRoleDialog } from './remove-role-dialog.tsx';
import { keyOfMembership, type Membership, membershipText } from './words.ts';

type Question = { readonly user: UserView; readonly membership: Membership | null };

interface UserTableProps {
  readonly users: readonly UserView[];
  readonly order: { readonly sort: string; onSort(sort: string): void };
  readonly choice: Choice;
}

/** People with their roles and actions. */
export function UserTable({ users, order, choice }: UserTableProps) {
  const { about: asked, opened, ask, close } = useQuestion<Question>();
  return (
    <>
      <RecordTable
        label={t('People')}
        rows={users}
        keyOf={({ user_id }) => user_id}
        order={order}
        choice={{ ...choice, nameOf: ({ name }) => name }}
        columns={[
          {
            label: t('Person'),
            name: true,
            long: true,
            sort: 'name',
            cell: ({ user_id, name }) => (
              <PersonLink id={user_id} pages="administrators">
                {name}
              </PersonLink>
            ),
          },
          { label: t('E-mail address'), long: true, sort: 'email', cell: ({ email }) => email },
          { label: t('Roles'), long: true, cell: (user) => <Roles user={user} /> },
          { label: t('Two-factor'), cell: ({ two_factor }) => (two_factor ? t('On') : t('Off')) },
          { label: t('Last seen'), cell: ({ last_seen_at }) => <Ago at={last_seen_at} none={t('Not signed in')} size="sm" /> },
        ]}
        actions={(user) => (
          <UserMenu user={user} onPassword={() => ask({ user, membership: null })} onRemove={(membership) => ask({ user, membership })} />
        )}
      />
      {asked !== null && <PasswordDialog opened={opened && asked.membership === null} user={asked.user} onClose={close} />}
      {asked !== null && asked.membership !== null && (
        <RemoveRoleDialog opened={opened} user={asked.user} membership={asked.membership} onClose={close} />
      )}
    </>
  );
}

function Roles({ user: { memberships } }: { readonly user: UserView }) {
  if (memberships.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('None: cannot open anything')}
      </Text>
    );
  }
  return (
    <List
      listStyleType="none"
      size="sm"
      // On one line each, cut as in other cells: whole on the person's page.
      styles={{
        item: { whiteSpace: 'inherit', overflow: 'hidden', textOverflow: 'ellipsis' },
        itemWrapper: { display: 'inline', whiteSpace: 'inherit' },
      }}
    >
      {memberships.map((membership) => (
        <List.Item key={keyOfMembership(membership)}>{membershipText(membership)}</List.Item>
      ))}
    </List>
  );
}

interface UserMenuProps {
  readonly user: UserView;
  onPassword(): void;
  onRemove(membership: Membership): void;
}

function UserMenu({ user: { name, memberships }, onPassword, onRemove }: UserMenuProps) {
  return (
    <MoreMenu name={name} width={280}>
      {(asking) => (
        <>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={asking(onPassword)}>
            {t('New password link')}
          </Menu.Item>
          {memberships.length > 0 && <Menu.Label>{t('Remove role')}</Menu.Label>}
          {memberships.map((membership) => (
            <Menu.Item
              key={keyOfMembership(membership)}
              c="var(--mantine-color-red-text)"
              leftSection={<IconUserMinus size={16} aria-hidden />}
              onClick={asking(() => onRemove(membership))}
            >
              {membershipText(membership)}
            </Menu.Item>
          ))}
        </>
      )}
    </MoreMenu>
  );
}
