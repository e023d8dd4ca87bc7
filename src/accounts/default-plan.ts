import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { OperatorError, storedId } from '../core/index.ts';
import { type Db, type PlanRow, type Store, unknownProvider } from '../store/index.ts';
import { findPlan } from './plans.ts';
import { selectDefaultPlan, selectPlan, writeDefaultPlan } from './queries/plans.ts';
import { selectProvider } from './queries/providers.ts';

/** The id of the plan that is proposed for new accounts where the provider has none of its own; null: none. */
export function installationDefault(store: Store): Promise<string | null> {
  return selectDefaultPlan(store.db);
}

/** The plan that is proposed for a provider's new accounts: its own, else the installation's; null: none. Throws OperatorError for an unknown provider. */
export async function defaultPlanOf(db: Db, providerId: string): Promise<PlanRow | null> {
  const provider = await selectProvider(db, storedId(providerId));
  if (provider === undefined) throw unknownProvider(providerId);
  const id = provider.default_plan_id ?? (await selectDefaultPlan(db));
  return id === null ? null : ((await selectPlan(db, id)) ?? null);
}

/** Makes a plan the installation's default, or not any more (`isDefault` false). Throws OperatorError for an unknown plan. */
export async function setDefaultPlan(store: Store, nameOrId: string, isDefault: boolean, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const plan = await findPlan(trx, nameOrId);
    const before = await selectDefaultPlan(trx);
    const details = changesBetween({ default: before === plan.id }, { default: isDefault });
    if (details === null) return;
    await writeDefaultPlan(trx, isDefault ? plan.id : null);
    await recordAudit(trx, act, { action: 'plan.update', targetId: plan.id, details });
  });
}

/** The name of the default plan. Throws OperatorError when there is none, in the words of the command line. */
export async function requireDefaultPlan(db: Db, providerId: string): Promise<string> {
  const plan = await defaultPlanOf(db, providerId);
  if (plan === null) throw new OperatorError('there is no default plan; set one with gateway plan update PLAN --default');
  return plan.id;
}
