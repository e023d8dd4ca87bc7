import { t } from '../../language/language.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { ProviderLink } from '../../parts/provider-link.tsx';

interface PlaceLinkProps {
  readonly accountId: string | null;
  readonly providerId: string | null;
  readonly name: string | null;
}

/** Where a role holds, with a link to it; an operator's holds everywhere. */
export function PlaceLink({ accountId, providerId, name }: PlaceLinkProps) {
  if (accountId !== null) return <AccountLink id={accountId}>{name}</AccountLink>;
  if (providerId !== null) return <ProviderLink id={providerId}>{name}</ProviderLink>;
  return t('The gateway');
}
