import type { ExpressionBuilder } from 'kysely';
import { newId, OperatorError, quote, StoreUnavailable } from '../../core/index.ts';
import { type Language, storedLanguage } from '../../language/index.ts';
import { countRows, type Database, type Db } from '../../store/index.ts';

/** A person as everybody but the sign-in sees them. */
export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly two_factor_enabled: number | boolean | null;
  readonly created_at: string | Date;
}

export const userColumns = ['users.id', 'users.name', 'users.email', 'users.two_factor_enabled', 'users.created_at'] as const;

export const selectUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(userColumns).where('email', '=', email).executeTakeFirst();

/** The person with this address. Throws OperatorError when nobody has it. */
export async function existingUser(db: Db, email: string): Promise<UserRow> {
  const user = await selectUserByEmail(db, email);
  if (user === undefined) throw new OperatorError(`nobody signs in as ${quote(email)}`);
  return user;
}

export const selectUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst();

/** Adds a person who signs in with a password, as better-auth would; `passwordHash` is its own. */
export async function insertUser(
  trx: Db,
  user: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly emailVerified: boolean;
    readonly passwordHash: string;
  },
  now: number,
): Promise<void> {
  const { id, email, name, emailVerified, passwordHash } = user;
  const at = new Date(now).toISOString();
  await trx
    .insertInto('users')
    .values(({ lit }) => ({
      id,
      email,
      name,
      email_verified: lit(emailVerified),
      two_factor_enabled: lit(false),
      created_at: at,
      updated_at: at,
    }))
    .execute();
  const credential = { provider_id: 'credential', account_id: id, password: passwordHash };
  await trx
    .insertInto('user_credentials')
    .values({ id: newId(), user_id: id, ...credential, created_at: at, updated_at: at })
    .execute();
}

/** Notes that a person reads the mailbox of their address. */
export async function verifyEmail(trx: Db, userId: string): Promise<void> {
  await trx
    .updateTable('users')
    .set(({ lit }) => ({ email_verified: lit(true) }))
    .where('id', '=', userId)
    .execute();
}

/** Sets a person's password, hashed by better-auth, and signs them out everywhere. */
export async function setPassword(trx: Db, userId: string, passwordHash: string, now: number): Promise<void> {
  await trx
    .updateTable('user_credentials')
    .set({ password: passwordHash, updated_at: new Date(now).toISOString() })
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute();
  await trx.deleteFrom('user_sessions').where('user_id', '=', userId).execute();
}

/** The language that a person chose; null: none yet. */
export async function languageOf(db: Db, userId: string): Promise<Language | null> {
  return storedLanguage((await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst())?.language ?? null);
}

/** The language of the person who has this address, if known. */
export async function languageAt(db: Db, email: string): Promise<Language | null> {
  const found = await db.selectFrom('users').select('language').where('email', '=', email.toLowerCase()).executeTakeFirst();
  return storedLanguage(found?.language ?? null);
}

/** The same for a mail about what has been stored already: null also when the store goes away. */
export async function knownLanguage(db: Db, email: string): Promise<Language | null> {
  return languageAt(db, email).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  });
}

/** Stores a person's choice; null takes it back. */
export async function chooseLanguage(db: Db, userId: string, language: Language | null): Promise<void> {
  await db.updateTable('users').set({ language }).where('id', '=', userId).execute();
}

/** Until when no code of a person is taken; null: they are taken. */
export async function codesLockedUntil(db: Db, userId: string): Promise<number | null> {
  const found = await db.selectFrom('user_two_factors').select('locked_until').where('user_id', '=', userId).executeTakeFirst();
  return found === undefined || found.locked_until === null ? null : new Date(found.locked_until).getTime();
}

/** Notes when a session was in use. */
export async function noteSeen(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .updateTable('user_sessions')
    .set({ updated_at: new Date(now).toISOString() })
    .where('id', '=', sessionId)
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
  const live = db.selectFrom('user_sessions').where('user_id', '=', userId);
  return countRows(live.where('expires_at', '>', new Date(now).toISOString()));
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

/** Ends the sign-ins of a person that wait for a two-factor code. */
export async function endChallenges(db: Db, userId: string): Promise<void> {
  // As better-auth stores them.
  await db.deleteFrom('user_verifications').where('value', '=', userId).where('identifier', 'like', '2fa-%').execute();
}

/** Turns two-factor off for a person, whatever their authenticator was. */
export async function deleteTwoFactor(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('user_two_factors').where('user_id', '=', userId).execute();
  await db
    .updateTable('users')
    .set((eb) => ({ two_factor_enabled: eb.lit(false) }))
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
