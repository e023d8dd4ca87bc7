import { type LinkProps, linkOptions } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../src/portal/wire/operator.ts';
import { invitationPage, personPage } from '../people/pages.ts';

/** After these there is no object any more. */
const endings = new Set(['number.delete', 'alert.remove']);

/** The page of what an entry tells of; null: there is none, or not for this reader. */
export function targetLink(entry: AuditEntry, administers: boolean): LinkProps | null {
  const { action, target_kind, target_id: id, target_name, account_id } = entry;
  if (id === null || endings.has(action)) return null;
  switch (target_kind) {
    case 'number':
      return administers
        ? linkOptions({ to: '/operator/numbers/$instanceId', params: { instanceId: id } })
        : linkOptions({ to: '/numbers/$instanceId', params: { instanceId: id } });
    case 'key':
      return target_name === null ? null : keyLink(id, account_id, administers);
    case 'alert':
      if (!administers) return linkOptions({ to: '/alerts/$targetId', params: { targetId: id } });
      // Administrators have pages for those of providers and of the gateway only.
      return account_id === null ? linkOptions({ to: '/operator/alerts/$targetId', params: { targetId: id } }) : null;
    case 'provider':
      return administers ? linkOptions({ to: '/operator/providers/$providerId', params: { providerId: id } }) : null;
    case 'user':
      if (action === 'user.invite' || action === 'user.withdraw') return invitationPage(id, pagesOf(administers));
      // Whoever was removed from the account has no page there any more.
      return target_name === null || (action === 'user.remove' && !administers) ? null : personPage(id, pagesOf(administers));
    default:
      return null;
  }
}

/** The page of who acted; null: there is none, or not for this reader. */
export function actorLink({ actor_kind, actor_id: id, account_id }: AuditEntry): LinkProps | null {
  if (id === null) return null;
  if (actor_kind === 'user') return personPage(id, 'administrators');
  return actor_kind === 'key' && account_id !== null ? keyLink(id, account_id, true) : null;
}

const pagesOf = (administers: boolean) => (administers ? 'administrators' : 'account');

function keyLink(keyId: string, accountId: string | null, administers: boolean): LinkProps | null {
  if (!administers) return linkOptions({ to: '/keys/$keyId', params: { keyId } });
  return accountId === null ? null : linkOptions({ to: '/operator/accounts/$accountId/keys/$keyId', params: { accountId, keyId } });
}
