import { sql } from 'kysely';
import { type AlertTargetRow, countRows, type Db, dialectOf } from '../../store/index.ts';

/** The targets of an account; or those of providers, and with null those of all of them and of the installation. */
export type TargetsWithin = { readonly accountId: string } | { readonly providerIds: readonly string[] | null };

export async function insertTarget(db: Db, row: AlertTargetRow): Promise<void> {
  await db.insertInto('alert_targets').values(row).execute();
}

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
export function countTargets(db: Db, of: Pick<AlertTargetRow, 'account_id' | 'provider_id'>): Promise<number> {
  const ofOwner = db.selectFrom('alert_targets').where('account_id', 'is not distinct from', of.account_id);
  return countRows(ofOwner.where('provider_id', 'is not distinct from', of.provider_id));
}

export async function changeTarget(db: Db, id: string, columns: Partial<AlertTargetRow>): Promise<void> {
  await db.updateTable('alert_targets').set(columns).where('id', '=', id).execute();
}

export function selectTarget(db: Db, id: string): Promise<AlertTargetRow | undefined> {
  return db.selectFrom('alert_targets').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function anyTarget(db: Db): Promise<boolean> {
  return (await db.selectFrom('alert_targets').select('id').limit(1).executeTakeFirst()) !== undefined;
}

export async function deleteTarget(db: Db, id: string): Promise<void> {
  await db.deleteFrom('alert_notices').where('target_id', '=', id).execute();
  await db.deleteFrom('alert_deliveries').where('target_id', '=', id).execute();
  await db.deleteFrom('alert_targets').where('id', '=', id).execute();
}

/** Whether the address is that of a person of the account, or of the provider, that a target is of. */
export async function isOfPerson(
  db: Db,
  { address, account_id, provider_id }: Pick<AlertTargetRow, 'address' | 'account_id' | 'provider_id'>,
) {
  const row = await db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select('users.id')
    .where('email', '=', address)
    .where((eb) => (account_id === null ? eb('memberships.provider_id', '=', provider_id) : eb('memberships.account_id', '=', account_id)))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores that the target's address wants alerts; false when that is known already, or the address is another one by now. */
export async function storeConfirmed(db: Db, { id, address }: Pick<AlertTargetRow, 'id' | 'address'>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_targets')
    .set({ confirm_by: null })
    .where('id', '=', id)
    .where('address', '=', address)
    .where('confirm_by', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The targets whose address has not confirmed in time. */
export async function selectUnconfirmed(db: Db, now: number): Promise<string[]> {
  return (await db.selectFrom('alert_targets').select('id').where('confirm_by', '<', now).execute()).map(({ id }) => id);
}

/**
 * Has others who change targets, or update the alerts, wait for the end of the transaction. Otherwise a target that is made while an alert begins
 * would not be notified of it: neither sees what the other is writing.
 */
export async function lockTargets(trx: Db): Promise<void> {
  if (dialectOf(trx) === 'postgres') await sql`lock table alert_targets in share row exclusive mode`.execute(trx);
}

/** Has others who make deliveries for this target wait for the end of the transaction. */
export async function lockTarget(trx: Db, id: string): Promise<void> {
  await trx.selectFrom('alert_targets').select('id').where('id', '=', id).forUpdate().execute();
}
