import type { AlertTargetRow } from '../store/index.ts';
import type { Db } from './queries.ts';

export async function insertTarget(db: Db, row: AlertTargetRow): Promise<void> {
  await db.insertInto('alert_targets').values(row).execute();
}

/** The targets of an account; or those of providers, and with null those of all of them and of the installation. */
export type TargetsWithin = { readonly accountId: string } | { readonly providerIds: readonly string[] | null };

/** Targets, oldest first; every one without `within`. */
export function selectTargets(db: Db, within?: TargetsWithin): Promise<AlertTargetRow[]> {
  const targets = db.selectFrom('alert_targets').selectAll().orderBy('id');
  if (within === undefined) return targets.execute();
  if ('accountId' in within) return targets.where('account_id', '=', within.accountId).execute();
  const { providerIds } = within;
  const shared = targets.where('account_id', 'is', null);
  return (providerIds === null ? shared : shared.where('provider_id', 'in', providerIds)).execute();
}

/** How many targets there are of the same account, provider or installation. */
export async function countTargets(db: Db, of: Pick<AlertTargetRow, 'account_id' | 'provider_id'>): Promise<number> {
  const { count } = await db
    .selectFrom('alert_targets')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', 'is not distinct from', of.account_id)
    .where('provider_id', 'is not distinct from', of.provider_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Stores what may be changed of a target. */
export async function changeTarget(
  db: Db,
  { id, address, conditions, events, quiet_from, quiet_to, time_zone, confirm_by }: AlertTargetRow,
): Promise<void> {
  const changed = { address, conditions, events, quiet_from, quiet_to, time_zone, confirm_by };
  await db.updateTable('alert_targets').set(changed).where('id', '=', id).execute();
}

export function selectTarget(db: Db, id: string): Promise<AlertTargetRow | undefined> {
  return db.selectFrom('alert_targets').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether there is anybody to tell. */
export async function anyTarget(db: Db): Promise<boolean> {
  return (await db.selectFrom('alert_targets').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function deleteTarget(db: Db, id: string): Promise<boolean> {
  await db.deleteFrom('alert_notices').where('target_id', '=', id).execute();
  await db.deleteFrom('alert_deliveries').where('target_id', '=', id).execute();
  return (await db.deleteFrom('alert_targets').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n;
}

export async function updateSecrets(
  db: Db,
  id: string,
  secrets: Partial<Pick<AlertTargetRow, 'secret' | 'previous_secret' | 'previous_until'>>,
): Promise<void> {
  await db.updateTable('alert_targets').set(secrets).where('id', '=', id).execute();
}

/** Replaces a secret by the same one sealed anew; false when it is another one by now. */
export async function exchangeSecret(
  db: Db,
  id: string,
  { column, sealed, by }: { readonly column: 'secret' | 'previous_secret'; readonly sealed: Buffer; readonly by: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_targets')
    .set({ [column]: by })
    .where('id', '=', id)
    .where(column, '=', sealed)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
