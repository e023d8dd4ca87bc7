import { type Insertable, sql, type Updateable } from 'kysely';
import { type AccountRow, type Database, type Db, unknownAccount } from '../../store/index.ts';

export type AccountColumns = Updateable<Database['accounts']>;

export interface AccountWithPlan extends AccountRow {
  readonly provider_name: string;
  readonly provider_status: 'active' | 'suspended';
  readonly plan_name: string | null;
  readonly messages_per_minute: number | null;
  readonly plan_instance_limit: number | null;
  readonly trial_message_limit: number | null;
}

/** An account with the data that is usually shown. */
export interface AccountSummary extends AccountWithPlan {
  /** How many numbers (instances) the account has, linked or not. */
  readonly numbers: number;
  /** Keys that are neither revoked nor the command line's own. */
  readonly live_keys: number;
  /** What its provider calls it; null: nothing. */
  readonly reference: string | null;
}

export const insertAccount = (db: Db, row: Insertable<Database['accounts']>) => db.insertInto('accounts').values(row).execute();

export async function updateAccountRow(db: Db, id: string, columns: AccountColumns): Promise<void> {
  await db.updateTable('accounts').set(columns).where('id', '=', id).execute();
}

/** The account's row, locked until the transaction ends. */
export const lockAccount = (trx: Db, id: string): Promise<AccountRow | undefined> =>
  trx.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** The same of an account that there must be. Throws OperatorError. */
export async function lockExisting(trx: Db, id: string): Promise<AccountRow> {
  const account = await lockAccount(trx, id);
  if (account === undefined) throw unknownAccount(id);
  return account;
}

function accountsWithPlan(db: Db) {
  return db
    .selectFrom('accounts')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .leftJoin('plans', 'plans.id', 'accounts.plan_id')
    .selectAll('accounts')
    .select([
      'providers.name as provider_name',
      'providers.status as provider_status',
      'plans.name as plan_name',
      'plans.messages_per_minute',
      'plans.instance_limit as plan_instance_limit',
      'plans.trial_message_limit',
    ]);
}

/** One account with its provider and plan, without counting anything. */
export const selectAccountWithPlan = (db: Db, id: string): Promise<AccountWithPlan | undefined> =>
  accountsWithPlan(db).where('accounts.id', '=', id).executeTakeFirst();

/** These accounts in short, oldest first. */
export const selectAccountNames = async (db: Db, ids: readonly string[]): Promise<Pick<AccountRow, 'id' | 'name' | 'status'>[]> =>
  ids.length === 0
    ? []
    : db.selectFrom('accounts').select(['id', 'name', 'status']).where('id', 'in', ids).orderBy('created_at').orderBy('id').execute();

export const numbersOfAccount = sql<number>`(select count(*) from instances where instances.account_id = accounts.id)`;
const liveKeys = sql<number>`(select count(*) from api_keys
  where api_keys.account_id = accounts.id and api_keys.revoked_at is null and api_keys.expires_at is null)`;
const reference = sql<string | null>`(select reference from account_references where account_references.account_id = accounts.id)`;

/** Accounts with what they are usually shown with. */
export function accountSummaries(db: Db) {
  return accountsWithPlan(db).select([numbersOfAccount.as('numbers'), liveKeys.as('live_keys'), reference.as('reference')]);
}

/** Every account, oldest first. */
export const selectAccounts = (db: Db): Promise<AccountSummary[]> =>
  accountSummaries(db).orderBy('accounts.created_at').orderBy('accounts.id').execute();

/** The ids of accounts, oldest first; `providerIds` null: of all providers. */
export async function selectAccountIds(db: Db, providerIds: readonly string[] | null): Promise<string[]> {
  const all = db.selectFrom('accounts').select('id').orderBy('created_at').orderBy('id');
  return (await (providerIds === null ? all : all.where('provider_id', 'in', providerIds)).execute()).map(({ id }) => id);
}

export const selectAccount = (db: Db, id: string): Promise<AccountSummary | undefined> =>
  accountSummaries(db).where('accounts.id', '=', id).executeTakeFirst();

/** Stores what a provider calls an account; false when it calls another one so. */
export async function insertReference(db: Db, row: { provider_id: string; account_id: string; reference: string }): Promise<boolean> {
  const result = await db
    .insertInto('account_references')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'reference']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows) > 0;
}

export async function deleteReference(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('account_references').where('account_id', '=', accountId).execute();
}

/** Which of a provider's accounts there are by its own names for them, or by name. */
export const selectKnownAccounts = (db: Db, providerId: string): Promise<{ id: string; name: string; reference: string | null }[]> =>
  db
    .selectFrom('accounts')
    .leftJoin('account_references', 'account_references.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.name', 'account_references.reference'])
    .where('accounts.provider_id', '=', providerId)
    .execute();

/** Whether one of a provider's accounts has this name. */
export async function isAccountNamed(db: Db, providerId: string, name: string): Promise<boolean> {
  const named = db.selectFrom('accounts').select('id').where(sql<boolean>`lower(name) = lower(${name})`);
  return (await named.where('provider_id', '=', providerId).limit(1).executeTakeFirst()) !== undefined;
}

export const selectNote = (db: Db, accountId: string) =>
  db.selectFrom('account_notes').selectAll().where('account_id', '=', accountId).executeTakeFirst();

export async function upsertNote(db: Db, row: Insertable<Database['account_notes']>): Promise<void> {
  const { account_id, ...columns } = row;
  await db
    .insertInto('account_notes')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
}
