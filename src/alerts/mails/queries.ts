import { sql } from 'kysely';
import type { AlertTargetRow } from '../../store/index.ts';
import type { Db } from '../queries.ts';

/** Counts a mail of an owner in this hour; false when it has had `most` of them. Earlier hours are forgotten on the way. */
export async function countMail(db: Db, { owner, hour, most }: { owner: string; hour: number; most: number }): Promise<boolean> {
  await db.deleteFrom('alert_mails').where('owner', '=', owner).where('hour', '<>', hour).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('alert_mails')
    .values({ owner, hour, sent: 1 })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'hour']).doUpdateSet({ sent: sql<number>`alert_mails.sent + 1` }).where('alert_mails.sent', '<', most),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** A mail that was counted did not go out. */
export async function uncountMail(db: Db, { owner, hour }: { owner: string; hour: number }): Promise<void> {
  await db
    .updateTable('alert_mails')
    .set((eb) => ({ sent: eb('sent', '-', 1) }))
    .where('owner', '=', owner)
    .where('hour', '=', hour)
    .execute();
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

/** Notes that the target's address wants alerts; false when it has said so already, or has another address by now. */
export async function noteConfirmed(db: Db, { id, address }: Pick<AlertTargetRow, 'id' | 'address'>): Promise<boolean> {
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
