import { type SqlBool, sql } from 'kysely';
import { countRows, type Db, type MembershipRow } from '../../store/index.ts';
import { lastSeenAt, userColumns } from './users.ts';

/** Where a role holds: at a provider, at an account, or nowhere in particular. */
export type PlaceIds = Pick<MembershipRow, 'provider_id' | 'account_id'>;

/** Whether a row is of this place. */
export function isAt({ provider_id, account_id }: PlaceIds) {
  const provider = provider_id === null ? sql`provider_id is null` : sql`provider_id = ${provider_id}`;
  return sql<SqlBool>`${provider} and ${account_id === null ? sql`account_id is null` : sql`account_id = ${account_id}`}`;
}

/** A person's roles, oldest first. */
export const selectMemberships = (db: Db, userId: string): Promise<MembershipRow[]> =>
  db.selectFrom('memberships').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute();

/** Adds a role; what the person has at that place already is replaced. */
export async function upsertMembership(db: Db, row: MembershipRow): Promise<void> {
  await deleteMembership(db, row.user_id, row);
  await db.insertInto('memberships').values(row).execute();
}

export async function deleteMembership(db: Db, userId: string, place: PlaceIds): Promise<void> {
  await db.deleteFrom('memberships').where('user_id', '=', userId).where(isAt(place)).execute();
}

export const selectMembershipAt = (db: Db, userId: string, place: PlaceIds): Promise<MembershipRow | undefined> =>
  db.selectFrom('memberships').selectAll().where('user_id', '=', userId).where(isAt(place)).executeTakeFirst();

/** Who has a role at a place, locked until the transaction ends, so that of two changes at once the second sees the first. */
export async function lockHolders(trx: Db, { role, ...place }: PlaceIds & Pick<MembershipRow, 'role'>): Promise<string[]> {
  const holders = trx.selectFrom('memberships').select('user_id').where('role', '=', role).where(isAt(place)).orderBy('id').forUpdate();
  return (await holders.execute()).map(({ user_id }) => user_id);
}

export async function updateRole(db: Db, membershipId: string, role: MembershipRow['role']): Promise<void> {
  await db.updateTable('memberships').set({ role }).where('id', '=', membershipId).execute();
}

/** Those who have a role, oldest first. */
const holders = (db: Db) =>
  db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select([...userColumns, 'memberships.role', 'memberships.created_at as joined_at'])
    .orderBy('memberships.created_at')
    .orderBy('memberships.id');

/** The members of an account, oldest first. */
export const selectMembers = (db: Db, accountId: string) => holders(db).where('memberships.account_id', '=', accountId).execute();

/** The owners of these accounts, oldest first. */
export const selectOwners = (db: Db, accountIds: readonly string[]) =>
  holders(db)
    .select('memberships.account_id')
    .where('memberships.account_id', 'in', accountIds)
    .where('memberships.role', '=', 'owner')
    .execute();

/** One member of an account, with when they were last seen; undefined for everybody else. */
export const selectMember = (db: Db, accountId: string, userId: string) =>
  holders(db).select(lastSeenAt).where('memberships.account_id', '=', accountId).where('users.id', '=', userId).executeTakeFirst();

/** The admins of a provider, oldest first. */
export const selectAdmins = (db: Db, providerId: string) =>
  holders(db).where('memberships.provider_id', '=', providerId).where('memberships.role', '=', 'provider_admin').execute();

export async function operatorExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('memberships').select('id').where('role', '=', 'operator').limit(1).executeTakeFirst()) !== undefined;
}

/** How many people have a role at a place, or an invitation to it that may be used now. */
export async function countPeople(db: Db, place: PlaceIds, now: number): Promise<number> {
  const invited = db.selectFrom('one_time_links').where('purpose', '=', 'invitation').where(isAt(place));
  return (
    (await countRows(db.selectFrom('memberships').where(isAt(place)))) +
    (await countRows(invited.where('used_at', 'is', null).where('expires_at', '>', now)))
  );
}
