import { Button, Group } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { FilterSelect } from '../../parts/list/filter-select.tsx';
import { roleName } from '../../parts/people/role-name.ts';

const pages = [
  { to: '/operator/users', label: t('People') },
  { to: '/operator/users/invitations', label: t('Pending invitations') },
] as const;

/** From the people to those who are invited, and back. */
export function PeopleTabs() {
  const { pathname } = useLocation();
  return (
    <Group gap="xs" mb="md" component="nav" aria-label={t('People and invitations')}>
      {pages.map(({ to, label }) => (
        <Button
          key={to}
          variant={pathname === to ? 'light' : 'subtle'}
          size="compact-md"
          aria-current={pathname === to ? 'page' : undefined}
          renderRoot={(props) => <Link to={to} {...props} />}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}

const roles = ['operator', 'provider_admin', 'owner', 'member'] as const;

/** Narrows a list to one role. */
export function RoleFilter({ value, onChange }: { readonly value: string | undefined; onChange(role: string | undefined): void }) {
  return (
    <FilterSelect
      label={t('Role')}
      all={t('All roles')}
      options={roles.map((role) => ({ value: role, label: roleName(role) }))}
      value={value}
      onChange={onChange}
    />
  );
}
