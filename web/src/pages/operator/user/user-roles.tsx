import { Menu } from '@mantine/core';
import { IconUserDown, IconUserMinus, IconUserUp } from '@tabler/icons-react';
import type { UserDetail } from '../../../../../src/portal/wire/operator.ts';
import { t } from '../../../language/language.ts';
import { EmptyPanel } from '../../../parts/empty-panel.tsx';
import { MoreMenu } from '../../../parts/more-menu.tsx';
import { MemberDialog } from '../../../parts/people/member-dialog.tsx';
import { roleName } from '../../../parts/people/role-name.ts';
import { RecordTable } from '../../../parts/record-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { useQuestion } from '../../../parts/use-question.ts';
import { PlaceLink } from '../place-link.tsx';
import { RemoveRoleDialog } from '../remove-role-dialog.tsx';
import { keyOfMembership, type Membership, membershipText } from '../words.ts';

/** What somebody may do and where, as far as the reader administers it; roles are changed and taken here. */
export function UserRoles({ user }: { readonly user: UserDetail }) {
  const removing = useQuestion<Membership>();
  const changing = useQuestion<Membership>();
  return (
    <Section title={t('Roles')}>
      {user.memberships.length === 0 ? (
        <EmptyPanel>{t('None: cannot open anything')}</EmptyPanel>
      ) : (
        <RecordTable
          label={t('Roles')}
          rows={user.memberships}
          keyOf={keyOfMembership}
          columns={[
            { label: t('Role'), cell: ({ role }) => <b>{roleName(role)}</b> },
            {
              label: t('Access to'),
              long: true,
              cell: ({ account_id, account_name, provider_id, provider_name }) => (
                <PlaceLink accountId={account_id} providerId={provider_id} name={account_name ?? provider_name} />
              ),
            },
          ]}
          actions={(membership) => (
            <RoleMenu membership={membership} onRemove={() => removing.ask(membership)} onChange={() => changing.ask(membership)} />
          )}
        />
      )}
      {removing.about !== null && (
        <RemoveRoleDialog opened={removing.opened} user={user} membership={removing.about} onClose={removing.close} />
      )}
      {changing.about !== null && (
        <ChangeRoleDialog opened={changing.opened} user={user} membership={changing.about} onClose={changing.close} />
      )}
    </Section>
  );
}

interface RoleMenuProps {
  readonly membership: Membership;
  onRemove(): void;
  onChange(): void;
}

function RoleMenu({ membership, onRemove, onChange }: RoleMenuProps) {
  const { role } = membership;
  return (
    <MoreMenu name={membershipText(membership)} width={220}>
      {(asking) => (
        <>
          {(role === 'owner' || role === 'member') && (
            <Menu.Item
              leftSection={role === 'member' ? <IconUserUp size={16} aria-hidden /> : <IconUserDown size={16} aria-hidden />}
              onClick={asking(onChange)}
            >
              {role === 'member' ? t('Make an owner') : t('Make a member')}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-red-text)" leftSection={<IconUserMinus size={16} aria-hidden />} onClick={asking(onRemove)}>
            {t('Remove role')}
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}

interface ChangeRoleDialogProps {
  readonly opened: boolean;
  readonly user: UserDetail;
  readonly membership: Membership;
  onClose(): void;
}

function ChangeRoleDialog({ opened, user, membership, onClose }: ChangeRoleDialogProps) {
  const { role, account_id, account_name } = membership;
  if (account_id === null) return null;
  return (
    <MemberDialog
      opened={opened}
      account={{ account_id, name: account_name ?? account_id }}
      question={{ member: user, change: role === 'owner' ? 'member' : 'owner' }}
      onClose={onClose}
    />
  );
}
