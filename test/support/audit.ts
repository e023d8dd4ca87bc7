import { type AuditEntry, listAudit } from '../../src/audit/index.ts';
import type { Store } from '../../src/store/index.ts';

/** What the work adds to the audit log, oldest first. */
export async function auditOf(store: Store, work: () => Promise<unknown>): Promise<AuditEntry[]> {
  const [newest] = await listAudit(store, { limit: 1 });
  await work();
  return (await listAudit(store, { limit: 1000 })).filter(({ id }) => id > (newest?.id ?? 0)).reverse();
}
