import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { newId, OperatorError, quote, storedId } from '../core/index.ts';
import { type Db, isTaken, type PlanRow, type Store, unknownProvider } from '../store/index.ts';
import { insertPlan, lockPlan, selectDefaultPlan, selectPlan, selectPlans, updatePlanRow, writeDefaultPlan } from './queries/plans.ts';
import { selectProvider } from './queries/providers.ts';
import { checkNumber, checkPlanName } from './terms.ts';

export interface NewPlan {
  readonly name: string;
  readonly messagesPerMinute: number;
  readonly instanceLimit: number;
  /** Messages in total, for a trial; null or absent: not a trial. */
  readonly trialMessages?: number | null | undefined;
}

export type PlanChanges = { readonly [Field in keyof NewPlan]?: NewPlan[Field] | undefined };

/** Creates a plan. Throws OperatorError when the name is taken or a value is bad. */
export async function createPlan(store: Store, plan: NewPlan, act: Act): Promise<PlanRow> {
  checkNumbers(plan);
  const row: PlanRow = {
    id: newId(),
    name: checkPlanName(plan.name),
    messages_per_minute: plan.messagesPerMinute,
    instance_limit: plan.instanceLimit,
    trial_message_limit: plan.trialMessages ?? null,
    created_at: act.now,
  };
  await withFreeName(row.name, () =>
    store.transaction(async (trx) => {
      await insertPlan(trx, row);
      await recordAudit(trx, act, { action: 'plan.create', targetId: row.id, details: changesBetween(null, audited(row)) ?? {} });
    }),
  );
  return row;
}

/** Changes what is given, for every account on the plan from its next request on. Throws OperatorError for an unknown plan, a taken name or a bad value. */
export async function updatePlan(store: Store, nameOrId: string, changes: PlanChanges, act: Act): Promise<PlanRow> {
  checkNumbers(changes);
  const name = changes.name === undefined ? undefined : checkPlanName(changes.name);
  return withFreeName(name ?? '', () =>
    store.transaction(async (trx) => {
      const found = await lockPlan(trx, storedId(nameOrId));
      if (found === undefined) throw unknownPlan(nameOrId);
      const row: PlanRow = {
        ...found,
        name: name ?? found.name,
        messages_per_minute: changes.messagesPerMinute ?? found.messages_per_minute,
        instance_limit: changes.instanceLimit ?? found.instance_limit,
        trial_message_limit: changes.trialMessages === undefined ? found.trial_message_limit : changes.trialMessages,
      };
      const { id, created_at, ...columns } = row;
      const details = changesBetween(audited(found), audited(row));
      if (details === null) return row;
      await updatePlanRow(trx, id, columns);
      await recordAudit(trx, act, { action: 'plan.update', targetId: id, details });
      return row;
    }),
  );
}

/** Every plan, oldest first. */
export function listPlans(store: Store): Promise<PlanRow[]> {
  return selectPlans(store.db);
}

/** The plan with this name or id. Throws OperatorError when there is none, with the field that named it. */
export async function findPlan(db: Db, nameOrId: string, field = 'plan'): Promise<PlanRow> {
  const plan = await selectPlan(db, storedId(nameOrId));
  if (plan === undefined) throw unknownPlan(nameOrId, field);
  return plan;
}

function audited({ name, messages_per_minute, instance_limit, trial_message_limit }: PlanRow) {
  return { name, messages_per_minute, instance_limit, trial_message_limit };
}

function unknownPlan(nameOrId: string, field?: string): OperatorError {
  return new OperatorError(`there is no plan ${quote(nameOrId)}`, { field });
}

function checkNumbers(plan: PlanChanges): void {
  checkNumber('messagesPerMinute', plan.messagesPerMinute);
  checkNumber('instanceLimit', plan.instanceLimit);
  checkNumber('trialMessages', plan.trialMessages);
}

/** Runs the work. Throws OperatorError when the database refuses the name as taken. */
async function withFreeName<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The unique index decides, not a look beforehand: two commands at once cannot both find the name free.
    if (!isTaken(error)) throw error;
    throw new OperatorError(`there is already a plan ${quote(name)}`, { field: 'name' });
  }
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

/** The id of the default plan. Throws OperatorError when there is none, in the words of the command line. */
export async function requireDefaultPlan(db: Db, providerId: string): Promise<string> {
  const plan = await defaultPlanOf(db, providerId);
  if (plan === null) throw new OperatorError('there is no default plan; set one with gateway plan update PLAN --default');
  return plan.id;
}
