import { newId, OperatorError } from '../core/index.ts';
import type { ProviderRow, Store } from '../store/index.ts';
import type { Act } from './audit/act.ts';
import { changesBetween } from './audit/changes.ts';
import { changeAction, recordAudit } from './audit/record.ts';
import { insertProvider, lockProvider, selectProviders, updateProviderRow } from './queries.ts';
import { checkName, checkNumber, quote, storedId } from './terms.ts';

export interface ProviderChanges {
  readonly name?: string | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
  /** How many numbers all its accounts may have together; null: no bound. */
  readonly numberCapacity?: number | null | undefined;
}

/** Creates an active provider (a reseller). Several may have the same name. Throws OperatorError for a bad value. */
export async function createProvider(store: Store, provider: ProviderChanges & { readonly name: string }, act: Act): Promise<ProviderRow> {
  checkNumber('numberCapacity', provider.numberCapacity);
  const row: ProviderRow = {
    id: newId(),
    name: checkName(provider.name),
    status: provider.status ?? 'active',
    number_capacity: provider.numberCapacity ?? null,
    created_at: act.now,
  };
  await store.transaction(async (trx) => {
    await insertProvider(trx, row);
    const details = changesBetween(null, told(row)) ?? {};
    await recordAudit(trx, act, { action: 'provider.create', targetId: row.id, providerId: row.id, details });
  });
  return row;
}

/**
 * Changes what is given. A suspended provider's accounts are all answered `account_suspended`; a capacity below what is in use
 * stops further numbers and takes none away. Throws OperatorError for an unknown id or a bad value.
 */
export async function updateProvider(store: Store, id: string, changes: ProviderChanges, act: Act): Promise<ProviderRow> {
  checkNumber('numberCapacity', changes.numberCapacity);
  const name = changes.name === undefined ? undefined : checkName(changes.name);
  return store.transaction(async (trx) => {
    const found = await lockProvider(trx, store.dialect, storedId(id));
    if (found === undefined) throw unknownProvider(id);
    const row: ProviderRow = {
      ...found,
      name: name ?? found.name,
      status: changes.status ?? found.status,
      number_capacity: changes.numberCapacity === undefined ? found.number_capacity : changes.numberCapacity,
    };
    const details = changesBetween(told(found), told(row));
    if (details === null) return row;
    await updateProviderRow(trx, found.id, { name: row.name, status: row.status, number_capacity: row.number_capacity });
    await recordAudit(trx, act, { action: changeAction('provider', details), targetId: row.id, providerId: row.id, details });
    return row;
  });
}

/** Every provider, oldest first. */
export function listProviders(store: Store): Promise<ProviderRow[]> {
  return selectProviders(store.db);
}

/** What the audit log tells of a provider. */
function told({ name, status, number_capacity }: ProviderRow) {
  return { name, status, number_capacity };
}

export function unknownProvider(id: string): OperatorError {
  return new OperatorError(`there is no provider ${quote(id)}`);
}
