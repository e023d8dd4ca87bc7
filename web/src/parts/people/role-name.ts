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
