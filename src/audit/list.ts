import { OperatorError, storedId } from '../core/index.ts';
import { existingAccount, type ListPage, type ListRequest, type Store } from '../store/index.ts';
import type { AuditDetails } from './changes.ts';
import { type AuditConditions, type AuditRowWithNames, type AuditSort, selectAuditPage } from './queries.ts';
import type { AuditAction } from './record.ts';

/** How many changes `listAudit` reads at most. */
export const mostAtOnce = 1000;

/** A change as it is shown. */
export interface AuditEntry extends Omit<AuditRowWithNames, 'details' | 'account_provider'> {
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
    rows: page.rows.map(({ account_provider, ...row }) => {
      // What an account is called since it went to another provider is not for the one it came from.
      const gone = providerIds !== undefined && account_provider !== null && !providerIds.includes(account_provider);
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
  if (!Number.isInteger(limit) || limit < 1 || limit > mostAtOnce)
    throw new OperatorError(`auditLimit must be a whole number from 1 to ${mostAtOnce}`);
  return (await findAudit(store, filter, { sort: 'at', descending: true, from: null, limit })).rows;
}
