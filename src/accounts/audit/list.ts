import type { Store } from '../../store/index.ts';
import { existingAccount } from '../accounts.ts';
import { checkNumber, storedId } from '../terms.ts';
import type { AuditDetails } from './changes.ts';
import { type AuditRowWithNames, selectAudit } from './queries.ts';
import type { AuditAction } from './record.ts';

/** A change as it is shown. */
export interface AuditEntry extends Omit<AuditRowWithNames, 'details' | 'account_provider'> {
  readonly details: AuditDetails;
}

/** A filter of changes; an absent field matches all. */
export interface AuditFilter {
  readonly accountId?: string | undefined;
  /** Changes of these providers, and of accounts that belonged to them when they were changed. */
  readonly providerIds?: readonly string[] | undefined;
  readonly actions?: readonly AuditAction[] | undefined;
  /** Only what is older than the change with this id: the last one of the page before. */
  readonly before?: number | undefined;
  /** At most so many, up to 1,000. */
  readonly limit: number;
}

/** Changes of the last 400 days, newest first. Throws OperatorError for an unknown account or a bad limit. */
export async function listAudit(store: Store, { accountId, providerIds, actions, before, limit }: AuditFilter): Promise<AuditEntry[]> {
  checkNumber('auditLimit', limit);
  const filter = {
    accountId: accountId === undefined ? undefined : await existingAccount(store.db, accountId),
    providerIds: providerIds?.map(storedId),
    actions,
    before,
  };
  const rows = await selectAudit(store.db, filter, limit);
  return rows.map(({ account_provider, ...row }) => {
    // What an account is called since it went to another provider is not for the one it came from.
    const gone = providerIds !== undefined && account_provider !== null && !filter.providerIds?.includes(account_provider);
    // Written by `recordAudit`.
    const details = JSON.parse(row.details) as AuditDetails;
    return { ...row, ...(gone ? { account_name: null, target_name: null } : {}), details };
  });
}
