/** A value in the audit log. Times are ISO 8601 UTC. */
export type AuditValue = string | number | boolean | null;

/** The fields that changed, with what each was and what it became; null: nothing. */
export type AuditDetails = Readonly<Record<string, { readonly from: AuditValue; readonly to: AuditValue }>>;

/**
 * What differs between two descriptions of one thing; null for one that was not there before or is gone afterwards.
 * null when nothing differs.
 */
export function changesBetween<Fields extends Readonly<Record<string, AuditValue>>>(
  before: Fields | null,
  after: Fields | null,
): AuditDetails | null {
  const changes: Record<string, { from: AuditValue; to: AuditValue }> = {};
  for (const field of Object.keys({ ...before, ...after })) {
    const from = before?.[field] ?? null;
    const to = after?.[field] ?? null;
    if (from !== to) changes[field] = { from, to };
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
