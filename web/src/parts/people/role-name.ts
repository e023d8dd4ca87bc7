import { t } from '../../language/language.ts';
/** A role as people say it. */
export function roleName(role: string): string {
  switch (role) {
    case 'operator':
      return t('Operator');
    case 'provider_admin':
      return t('Provider admin');
    case 'owner':
      return t('Owner');
    case 'member':
      return t('Member');
    default:
      return role;
  }
}

/** A role with where it holds: "Owner of Corner Shop"; null: everywhere. */
export function roleIn(role: string, place: string | null): string {
  if (place === null) return roleName(role);
  // Other languages say "admin of the provider X", and not "of".
  return role === 'provider_admin'
    ? t('Provider admin of {{place}}', { place })
    : t('{{role}} of {{place}}', { role: roleName(role), place });
}
