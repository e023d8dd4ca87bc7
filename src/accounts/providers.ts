import { newId, OperatorError } from '../core/index.ts';
import type { ProviderRow, Store } from '../store/index.ts';
import { insertProvider, lockProvider, selectProviders, updateProviderRow } from './queries.ts';
import { checkName, checkNumber, quote, storedId } from './terms.ts';

export interface ProviderChanges {
  readonly name?: string | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
  /** How many numbers all its accounts may have together; null: no bound. */
  readonly numberCapacity?: number | null | undefined;
}

/** Creates an active provider (a reseller). Several may have the same name. Throws OperatorError for a bad value. */
export async function createProvider(
  store: Store,
  provider: ProviderChanges & { readonly name: string },
  now: number,
): Promise<ProviderRow> {
  checkNumber('numberCapacity', provider.numberCapacity);
  const row: ProviderRow = {
    id: newId(),
    name: checkName(provider.name),
    status: provider.status ?? 'active',
    number_capacity: provider.numberCapacity ?? null,
    created_at: now,
  };
  await store.transaction((trx) => insertProvider(trx, row));
  return row;
}

/**
 * Changes what is given. A suspended provider's accounts are all answered `account_suspended`; a capacity below what is in use
 * stops further numbers and takes none away. Throws OperatorError for an unknown id or a bad value.
 */
export async function updateProvider(store: Store, id: string, changes: ProviderChanges): Promise<ProviderRow> {
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
    await updateProviderRow(trx, found.id, { name: row.name, status: row.status, number_capacity: row.number_capacity });
    return row;
  });
}

/** Every provider, oldest first. */
export function listProviders(store: Store): Promise<ProviderRow[]> {
  return selectProviders(store.db);
}

export function unknownProvider(id: string): OperatorError {
  return new OperatorError(`there is no provider ${quote(id)}`);
}
