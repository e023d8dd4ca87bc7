import { t } from '../../language/language.ts';

const names: Readonly<Record<string, string>> = {
  operator: t('Operator'),
  provider_admin: t('Provider admin'),
  owner: t('Owner'),
  member: t('Member'),
};

/** A role as people say it. */
export function roleName(role: string): string {
  return names[role] ?? role;
}

/** A role with where it holds: "Owner of Corner Shop"; null: everywhere. */
export function roleIn(role: string, place: string | null): string {
  if (place === null) return roleName(role);
  // Other languages say "admin of the provider X", and not "of".
  return role === 'provider_admin'
    ? t('Provider admin of {{place}}', { place })
    : t('{{role}} of {{place}}', { role: roleName(role), place });
}
