import { type Act, changeAction, changesBetween, recordAudit } from '../audit/index.ts';
import { newId, storedId } from '../core/index.ts';
import { type Db, type ProviderRow, type Store, unknownProvider } from '../store/index.ts';
import { findPlan } from './plans.ts';
import { insertProvider, lockProvider, selectProviders, updateProviderRow } from './queries/providers.ts';
import { checkName, checkNumber } from './terms.ts';

export interface ProviderChanges {
  readonly name?: string | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
  /** How many numbers all its accounts may have together; null: no bound. */
  readonly numberCapacity?: number | null | undefined;
  /** Name or id of the plan that is proposed for its new accounts; null: the installation's. */
  readonly defaultPlan?: string | null | undefined;
}

/** Creates an active provider (a reseller). Several may have the same name. Throws OperatorError for a bad value. */
export async function createProvider(store: Store, provider: ProviderChanges & { readonly name: string }, act: Act): Promise<ProviderRow> {
  checkNumber('numberCapacity', provider.numberCapacity);
  const name = checkName(provider.name);
  return store.transaction(async (trx) => {
    const row: ProviderRow = {
      id: newId(),
      name,
      status: provider.status ?? 'active',
      number_capacity: provider.numberCapacity ?? null,
      default_plan_id: await planOf(trx, provider.defaultPlan, null),
      created_at: act.now,
    };
    await insertProvider(trx, row);
    const details = changesBetween(null, await audited(trx, row)) ?? {};
    await recordAudit(trx, act, { action: 'provider.create', targetId: row.id, providerId: row.id, details });
    return row;
  });
}

/**
 * Changes what is given. A suspended provider's accounts are all answered `account_suspended`; a capacity below what is in use
 * stops further numbers and takes none away. Throws OperatorError for an unknown id or a bad value.
 */
export async function updateProvider(store: Store, id: string, changes: ProviderChanges, act: Act): Promise<ProviderRow> {
  checkNumber('numberCapacity', changes.numberCapacity);
  const name = changes.name === undefined ? undefined : checkName(changes.name);
  return store.transaction(async (trx) => {
    const found = await lockProvider(trx, storedId(id));
    if (found === undefined) throw unknownProvider(id);
    const row: ProviderRow = {
      ...found,
      name: name ?? found.name,
      status: changes.status ?? found.status,
      number_capacity: changes.numberCapacity === undefined ? found.number_capacity : changes.numberCapacity,
      default_plan_id: await planOf(trx, changes.defaultPlan, found.default_plan_id),
    };
    const details = changesBetween(await audited(trx, found), await audited(trx, row));
    if (details === null) return row;
    await updateProviderRow(trx, found.id, {
      name: row.name,
      status: row.status,
      number_capacity: row.number_capacity,
      default_plan_id: row.default_plan_id,
    });
    await recordAudit(trx, act, { action: changeAction('provider', details), targetId: row.id, providerId: row.id, details });
    return row;
  });
}

/** Every provider, oldest first. */
export function listProviders(store: Store): Promise<ProviderRow[]> {
  return selectProviders(store.db);
}

async function planOf(db: Db, chosen: string | null | undefined, before: string | null): Promise<string | null> {
  if (chosen === undefined) return before;
  return chosen === null ? null : (await findPlan(db, chosen, 'default_plan')).id;
}

/** What the audit log records of a provider; its plan by name, which may be another when this is read. */
async function audited(db: Db, { name, status, number_capacity, default_plan_id }: ProviderRow) {
  return { name, status, number_capacity, default_plan: default_plan_id === null ? null : (await findPlan(db, default_plan_id)).name };
}
