import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Database, Dialect, MembershipRow, OneTimeLinkRow } from '../../store/index.ts';
import type { Db } from '../queries.ts';

const seenEveryMs = 5 * 60 * 1000;

/** A person as everybody but the sign-in sees them. */
export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly two_factor_enabled: number | boolean | null;
  readonly created_at: string | Date;
}

const userColumns = ['users.id', 'users.name', 'users.email', 'users.two_factor_enabled', 'users.created_at'] as const;

export const selectUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(userColumns).where('email', '=', email).executeTakeFirst();

export const selectUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst();

export async function selectLanguage(db: Db, userId: string): Promise<string | null> {
  return (await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst())?.language ?? null;
}

export async function selectLanguageAt(db: Db, email: string): Promise<string | null> {
  return (await db.selectFrom('users').select('language').where('email', '=', email).executeTakeFirst())?.language ?? null;
}

export async function updateLanguage(db: Db, userId: string, language: string | null): Promise<void> {
  await db.updateTable('users').set({ language }).where('id', '=', userId).execute();
}

/** Notes that a session is in use, at most every few minutes. */
export async function noteSeen(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable('user_sessions')
    .set({ updated_at: new Date(now).toISOString() })
    .where('id', '=', sessionId)
    .where('updated_at', '<', new Date(now - seenEveryMs).toISOString())
    .execute();
}

/** Signs a person out everywhere but in this session; how many live sessions those were. */
export async function endOtherSessions(db: Db, userId: string, sessionId: string, now: number): Promise<number> {
  const ended = await db
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', sessionId)
    .where('expires_at', '>', new Date(now).toISOString())
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

/** In how many browsers a person is signed in. */
export async function countSessions(db: Db, userId: string, now: number): Promise<number> {
  const live = await db
    .selectFrom('user_sessions')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date(now).toISOString())
    .executeTakeFirst();
  return Number(live?.n ?? 0);
}

/** Keeps so many of a person's sessions, the newest. */
export async function endOldestSessions(db: Db, userId: string, keep: number): Promise<void> {
  const newest = db
    .selectFrom('user_sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(keep);
  await db.deleteFrom('user_sessions').where('user_id', '=', userId).where('id', 'not in', newest).execute();
}

/** A person's roles, oldest first. */
export const selectMemberships = (db: Db, userId: string): Promise<MembershipRow[]> =>
  db.selectFrom('memberships').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute();

/** Adds a role; what the person has at that place already is replaced. */
export async function upsertMembership(db: Db, row: MembershipRow): Promise<void> {
  await deleteMembership(db, row);
  await db.insertInto('memberships').values(row).execute();
}

/** Takes a person's role at a place; true when there was one. */
export async function deleteMembership(
  db: Db,
  { user_id, provider_id, account_id }: Pick<MembershipRow, 'user_id' | 'provider_id' | 'account_id'>,
): Promise<boolean> {
  const result = await db
    .deleteFrom('memberships')
    .where('user_id', '=', user_id)
    .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .executeTakeFirst();
  return Number(result.numDeletedRows) > 0;
}

/** A person's role at a place. */
export const selectMembershipAt = (
  db: Db,
  { user_id, provider_id, account_id }: Pick<MembershipRow, 'user_id' | 'provider_id' | 'account_id'>,
): Promise<MembershipRow | undefined> =>
  db
    .selectFrom('memberships')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .executeTakeFirst();

/**
 * Who has a role at a place. On PostgreSQL they are locked until the transaction ends, so that of two changes at once the second sees the
 * first (the embedded store has one writer anyway).
 */
export async function lockHolders(
  trx: Db,
  dialect: Dialect,
  { role, provider_id, account_id }: Pick<MembershipRow, 'role' | 'provider_id' | 'account_id'>,
): Promise<string[]> {
  const query = trx
    .selectFrom('memberships')
    .select('user_id')
    .where('role', '=', role)
    .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .orderBy('id');
  return (await (dialect === 'postgres' ? query.forUpdate() : query).execute()).map(({ user_id }) => user_id);
}

export async function updateRole(db: Db, membershipId: string, role: MembershipRow['role']): Promise<void> {
  await db.updateTable('memberships').set({ role }).where('id', '=', membershipId).execute();
}

/** Turns two-factor off for a person, whatever their authenticator was. */
export async function deleteTwoFactor(db: Db, dialect: Dialect, userId: string): Promise<void> {
  await db.deleteFrom('user_two_factors').where('user_id', '=', userId).execute();
  await db
    .updateTable('users')
    .set({ two_factor_enabled: dialect === 'sqlite' ? 0 : false })
    .where('id', '=', userId)
    .execute();
}

/** Removes a person with all roles, sessions and credentials (which go with the person). */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute();
}

/** When somebody was last seen, in any of their browsers; null: they are signed in nowhere. */
export const lastSeenAt = (eb: ExpressionBuilder<Database, 'users'>) =>
  eb
    .selectFrom('user_sessions')
    .select((of) => of.fn.max('user_sessions.updated_at').as('at'))
    .whereRef('user_sessions.user_id', '=', 'users.id')
    .as('last_seen_at');

const membersOf = (db: Db, accountId: string) =>
  db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select([...userColumns, 'memberships.role', 'memberships.created_at as joined_at'])
    .where('memberships.account_id', '=', accountId);

/** The members of an account, oldest first. */
export const selectMembers = (db: Db, accountId: string) =>
  membersOf(db, accountId).orderBy('memberships.created_at').orderBy('memberships.id').execute();

/** One member of an account, with when they were last seen; undefined for everybody else. */
export const selectMember = (db: Db, accountId: string, userId: string) =>
  membersOf(db, accountId).select(lastSeenAt).where('users.id', '=', userId).executeTakeFirst();

/** The admins of a provider, oldest first. */
export const selectAdmins = (db: Db, providerId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([...userColumns, 'memberships.role', 'memberships.created_at as joined_at'])
    .where('memberships.provider_id', '=', providerId)
    .where('memberships.role', '=', 'provider_admin')
    .orderBy('memberships.created_at')
    .orderBy('memberships.id')
    .execute();

export async function operatorExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('memberships').select('id').where('role', '=', 'operator').limit(1).executeTakeFirst()) !== undefined;
}

export async function insertLink(db: Db, row: Insertable<Database['one_time_links']>): Promise<void> {
  await db.insertInto('one_time_links').values(row).execute();
}

/** A link that may be used now. */
export const selectUsableLink = (db: Db, tokenHash: string, now: number): Promise<OneTimeLinkRow | undefined> =>
  db
    .selectFrom('one_time_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Marks a link as used; false when it was used already. */
export async function takeLink(db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Makes a link usable again that was taken for work that failed. */
export async function giveLinkBack(db: Db, id: string): Promise<void> {
  await db.updateTable('one_time_links').set({ used_at: null }).where('id', '=', id).execute();
}

/** Ends the unused links of a purpose, of one e-mail address and to one place where they are given. */
export async function endLinks(
  db: Db,
  of: { purpose: OneTimeLinkRow['purpose']; email?: string; place?: Pick<OneTimeLinkRow, 'provider_id' | 'account_id'> },
  now: number,
): Promise<void> {
  let query = db.updateTable('one_time_links').set({ used_at: now }).where('purpose', '=', of.purpose).where('used_at', 'is', null);
  if (of.email !== undefined) query = query.where('email', '=', of.email);
  if (of.place !== undefined) {
    const { provider_id, account_id } = of.place;
    query = query
      .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
      .where('account_id', account_id === null ? 'is' : '=', account_id);
  }
  await query.execute();
}

/** The unused links that these people made. */
export const selectUnusedLinksOf = async (db: Db, makerIds: readonly string[]): Promise<OneTimeLinkRow[]> =>
  makerIds.length === 0
    ? []
    : db.selectFrom('one_time_links').selectAll().where('maker_id', 'in', makerIds).where('used_at', 'is', null).execute();

/** The admins of a provider. */
export const selectAdminIds = async (db: Db, providerId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('memberships')
      .select('user_id')
      .where('role', '=', 'provider_admin')
      .where('provider_id', '=', providerId)
      .execute()
  ).map(({ user_id }) => user_id);

/** Ends every unused link of an e-mail address. */
export async function endLinksOf(db: Db, email: string, now: number): Promise<void> {
  await db.updateTable('one_time_links').set({ used_at: now }).where('email', '=', email).where('used_at', 'is', null).execute();
}

/** How many people have a role at a place, or an invitation to it that may be used now. */
export async function countPeople(
  db: Db,
  { provider_id, account_id }: Pick<OneTimeLinkRow, 'provider_id' | 'account_id'>,
  now: number,
): Promise<number> {
  const members = await db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .executeTakeFirst();
  const invited = await db
    .selectFrom('one_time_links')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('purpose', '=', 'invitation')
    .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(members?.n ?? 0) + Number(invited?.n ?? 0);
}

/** An invitation that may be used now. */
export const selectInvitation = (db: Db, id: string, now: number): Promise<OneTimeLinkRow | undefined> =>
  db
    .selectFrom('one_time_links')
    .selectAll()
    .where('id', '=', id)
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Whether another invitation of the same person to the same place was made at that moment. */
export async function selectInvitationMadeAt(
  db: Db,
  { id, email, provider_id, account_id }: Pick<OneTimeLinkRow, 'id' | 'email' | 'provider_id' | 'account_id'>,
  at: number,
): Promise<boolean> {
  const other = await db
    .selectFrom('one_time_links')
    .select('id')
    .where('purpose', '=', 'invitation')
    .where('email', '=', email)
    .where('provider_id', provider_id === null ? 'is' : '=', provider_id)
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .where('created_at', '=', at)
    .where('id', '!=', id)
    .executeTakeFirst();
  return other !== undefined;
}
