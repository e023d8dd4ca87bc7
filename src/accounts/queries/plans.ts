import type { Updateable } from 'kysely';
import { type Database, type Db, type PlanRow, readMeta, writeMeta } from '../../store/index.ts';

export type PlanColumns = Updateable<Database['plans']>;

export const insertPlan = (db: Db, row: PlanRow) => db.insertInto('plans').values(row).execute();

export async function updatePlanRow(db: Db, id: string, columns: PlanColumns): Promise<void> {
  await db.updateTable('plans').set(columns).where('id', '=', id).execute();
}

export const selectPlans = (db: Db): Promise<PlanRow[]> =>
  db.selectFrom('plans').selectAll().orderBy('created_at').orderBy('messages_per_minute').orderBy('name').execute();

const planQuery = (db: Db, nameOrId: string) =>
  db
    .selectFrom('plans')
    .selectAll()
    .where((eb) => eb.or([eb('name', '=', nameOrId), eb('id', '=', nameOrId)]));

export const selectPlan = (db: Db, nameOrId: string): Promise<PlanRow | undefined> => planQuery(db, nameOrId).executeTakeFirst();

/** The plan's row, found by name or id and locked like `lockAccount`. */
export const lockPlan = (trx: Db, nameOrId: string): Promise<PlanRow | undefined> =>
  planQuery(trx, nameOrId).forUpdate().executeTakeFirst();

const defaultPlanName = 'default_plan';

/** The id of the plan that is proposed for new accounts where the provider has none of its own; null: none. */
export function selectDefaultPlan(db: Db): Promise<string | null> {
  return readMeta(db, defaultPlanName);
}

export async function writeDefaultPlan(db: Db, planId: string | null): Promise<void> {
  if (planId === null) await db.deleteFrom('meta').where('name', '=', defaultPlanName).execute();
  else await writeMeta(db, defaultPlanName, planId);
}
