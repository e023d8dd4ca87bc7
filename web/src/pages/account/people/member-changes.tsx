import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { t } from '../../../language/language.ts';
import { accountAuditQuery } from '../../../parts/audit/account-audit.ts';
import { LatestChanges, latestChanges } from '../../../parts/audit/latest-changes.tsx';

/** What a member did in this account last. */
export function MemberChanges({ accountId, email }: { readonly accountId: string; readonly email: string }) {
  return (
    <LatestChanges
      title={t('What they did last')}
      query={useQuery(accountAuditQuery(accountId, { actor: email, limit: String(latestChanges) }))}
      all={t('Everything they did')}
      log={linkOptions({ to: '/account', search: { part: 'changes', actor: email } })}
      none={t('Nothing in the last 400 days.')}
    />
  );
}
