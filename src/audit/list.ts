import { iso, OperatorError, storedId } from '../core/index.ts';
import { existingAccount, type ListPage, type ListRequest, type Store } from '../store/index.ts';
import type { AuditDetails } from './changes.ts';
import { type AuditConditions, type AuditRowWithNames, type AuditSort, selectAuditPage } from './queries.ts';
import type { AuditAction } from './record.ts';

/** How many changes `listAudit` reads. */
export const auditBounds = { min: 1, max: 1000 };

/** A change as it is shown. */
export interface AuditEntry extends Omit<AuditRowWithNames, 'details' | 'account_provider' | 'target_provider'> {
  readonly details: AuditDetails;
}

/** A filter of changes; an absent field matches all. `providerIds`: of these providers, and of accounts that belonged to them when they were changed. */
export interface AuditFilter extends AuditConditions {
  readonly actions?: readonly AuditAction[] | undefined;
}

/** A page of the changes of the last 400 days. Throws OperatorError for an unknown account. */
export async function findAudit(store: Store, filter: AuditFilter, request: ListRequest<AuditSort>): Promise<ListPage<AuditEntry>> {
  const { accountId } = filter;
  const providerIds = filter.providerIds?.map(storedId);
  const account = accountId === undefined ? undefined : await existingAccount(store.db, accountId);
  const page = await selectAuditPage(store.db, { ...filter, accountId: account, providerIds }, request);
  return {
    ...page,
    rows: page.rows.map(({ account_provider, target_provider, ...row }) => {
      const provider = account_provider ?? target_provider;
      // What an account is called at another provider is not for the one it came from.
      const gone = providerIds !== undefined && provider !== null && !providerIds.includes(provider);
      // Written by `recordAudit`.
      const details = JSON.parse(row.details) as AuditDetails;
      return { ...row, ...(gone ? { account_name: null, target_name: null } : {}), details };
    }),
  };
}

/** The newest changes, at most so many, up to 1,000. Throws OperatorError for an unknown account or a bad limit. */
export async function listAudit(
  store: Store,
  { limit, ...filter }: AuditFilter & { readonly limit: number },
): Promise<readonly AuditEntry[]> {
  const { min, max } = auditBounds;
  if (!Number.isInteger(limit) || limit < min || limit > max)
    throw new OperatorError(`the limit must be a whole number from ${min} to ${max}`);
  return (await findAudit(store, filter, { sort: 'at', descending: true, from: null, limit })).rows;
}

/** A change as portal and command line show it. */
export function auditView<Id>({ id, at, ...entry }: Omit<AuditEntry, 'id'> & { readonly id: Id }) {
  return {
    audit_id: id,
    at: iso(at),
    actor_kind: entry.actor_kind,
    actor_id: entry.actor_id,
    actor_name: entry.actor_name,
    action: entry.action,
    target_kind: entry.target_kind,
    target_id: entry.target_id,
    target_name: entry.target_name,
    account_id: entry.account_id,
    account_name: entry.account_name,
    provider_id: entry.provider_id,
    details: entry.details,
  };
}
