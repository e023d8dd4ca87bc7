import { accountKey } from '../../api/queries.ts';
import { type ListSearch, listQuery } from '../list/use-list.ts';

/** A page of what was changed in an account, for those who manage it. */
export function accountAuditQuery(accountId: string, search: ListSearch) {
  return listQuery(accountKey(accountId, 'audit'), '/portal/api/audit', search, accountId);
}
