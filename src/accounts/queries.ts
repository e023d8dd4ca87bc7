import type { Insertable, Kysely, Updateable } from 'kysely';
import type { AccountRow, Database, Dialect, InstanceRow, PlanRow, ProviderRow } from '../store/index.ts';

/** The store's connection, or the one of a transaction. */
export type Db = Kysely<Database>;
export type AccountColumns = Updateable<Database['accounts']>;
export type PlanColumns = Updateable<Database['plans']>;
export type ProviderColumns = Updateable<Database['providers']>;

/** An account with its provider and its plan. */
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

/** A key as it may be shown: never its hash. */
export interface KeySummary {
  readonly id: string;
  readonly account_id: string;
  readonly prefix: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

// A count is a bigint, which PostgreSQL's driver hands over as text.
const counted = (row: { n: unknown } | undefined): number => Number(row?.n ?? 0);

export const insertProvider = (db: Db, row: ProviderRow) => db.insertInto('providers').values(row).execute();
export const insertPlan = (db: Db, row: PlanRow) => db.insertInto('plans').values(row).execute();
export const insertAccount = (db: Db, row: Insertable<Database['accounts']>) => db.insertInto('accounts').values(row).execute();
export const insertKey = (db: Db, row: Insertable<Database['api_keys']>) => db.insertInto('api_keys').values(row).execute();
export const insertInstance = (db: Db, row: InstanceRow) => db.insertInto('instances').values(row).execute();

export async function updateProviderRow(db: Db, id: string, columns: ProviderColumns): Promise<void> {
  await db.updateTable('providers').set(columns).where('id', '=', id).execute();
}

export async function updatePlanRow(db: Db, id: string, columns: PlanColumns): Promise<void> {
  await db.updateTable('plans').set(columns).where('id', '=', id).execute();
}

export async function updateAccountRow(db: Db, id: string, columns: AccountColumns): Promise<void> {
  await db.updateTable('accounts').set(columns).where('id', '=', id).execute();
}

export const selectProviders = (db: Db): Promise<ProviderRow[]> =>
  db.selectFrom('providers').selectAll().orderBy('created_at').orderBy('id').execute();

export const selectProvider = (db: Db, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst();

export const selectPlans = (db: Db): Promise<PlanRow[]> =>
  db.selectFrom('plans').selectAll().orderBy('created_at').orderBy('messages_per_minute').orderBy('name').execute();

const planQuery = (db: Db, nameOrId: string) =>
  db
    .selectFrom('plans')
    .selectAll()
    .where((eb) => eb.or([eb('name', '=', nameOrId), eb('id', '=', nameOrId)]));

export const selectPlan = (db: Db, nameOrId: string): Promise<PlanRow | undefined> => planQuery(db, nameOrId).executeTakeFirst();

/** The account's row; on PostgreSQL locked until the transaction ends (the embedded store has one writer anyway). */
export function lockAccount(trx: Db, dialect: Dialect, id: string): Promise<AccountRow | undefined> {
  const query = trx.selectFrom('accounts').selectAll().where('id', '=', id);
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

/** The provider's row, locked like `lockAccount`. */
export function lockProvider(trx: Db, dialect: Dialect, id: string): Promise<ProviderRow | undefined> {
  const query = trx.selectFrom('providers').selectAll().where('id', '=', id);
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

/** The plan's row, found by name or id and locked like `lockAccount`. */
export function lockPlan(trx: Db, dialect: Dialect, nameOrId: string): Promise<PlanRow | undefined> {
  const query = planQuery(trx, nameOrId);
  return (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

/** Accounts with their provider and plan. */
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

/** Accounts with what they are usually shown with; the rows go through `withCounts`. */
export function accountSummaries(db: Db) {
  return accountsWithPlan(db).select((eb) => [
    eb
      .selectFrom('instances')
      .select((count) => count.fn.countAll().as('n'))
      .whereRef('instances.account_id', '=', 'accounts.id')
      .as('numbers'),
    eb
      .selectFrom('api_keys')
      .select((count) => count.fn.countAll().as('n'))
      .whereRef('api_keys.account_id', '=', 'accounts.id')
      .where('api_keys.revoked_at', 'is', null)
      .where('api_keys.expires_at', 'is', null)
      .as('live_keys'),
    eb
      .selectFrom('account_references')
      .select('account_references.reference')
      .whereRef('account_references.account_id', '=', 'accounts.id')
      .as('reference'),
  ]);
}

export const withCounts = <Row extends { numbers: unknown; live_keys: unknown }>(row: Row) => ({
  ...row,
  numbers: Number(row.numbers),
  live_keys: Number(row.live_keys),
});

export const selectAccounts = async (db: Db): Promise<AccountSummary[]> =>
  (await accountSummaries(db).orderBy('accounts.created_at').orderBy('accounts.id').execute()).map(withCounts);

export async function selectAccount(db: Db, id: string): Promise<AccountSummary | undefined> {
  const row = await accountSummaries(db).where('accounts.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : withCounts(row);
}

/** Says what a provider calls an account; false when it calls another one so. */
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

const defaultPlanName = 'default_plan';

/** The id of the installation's default plan; null: none. */
export async function selectDefaultPlan(db: Db): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', defaultPlanName).executeTakeFirst();
  return row?.value ?? null;
}

export async function writeDefaultPlan(db: Db, planId: string | null): Promise<void> {
  if (planId === null) {
    await db.deleteFrom('meta').where('name', '=', defaultPlanName).execute();
    return;
  }
  await db
    .insertInto('meta')
    .values({ name: defaultPlanName, value: planId })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: planId }))
    .execute();
}

export async function accountExists(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

export const countNumbers = async (db: Db, accountId: string): Promise<number> =>
  counted(
    await db
      .selectFrom('instances')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('account_id', '=', accountId)
      .executeTakeFirst(),
  );

/** Numbers of all accounts of a provider. */
export const countProviderNumbers = async (db: Db, providerId: string): Promise<number> =>
  counted(
    await db
      .selectFrom('instances')
      .innerJoin('accounts', 'accounts.id', 'instances.account_id')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('accounts.provider_id', '=', providerId)
      .executeTakeFirst(),
  );

export const selectInstances = (db: Db, accountId: string): Promise<InstanceRow[]> =>
  db.selectFrom('instances').selectAll().where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute();

export const selectInstance = (db: Db, id: string): Promise<InstanceRow | undefined> =>
  db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst();

const keySummary = ['id', 'account_id', 'prefix', 'label', 'created_at', 'last_used_at', 'revoked_at'] as const;

export const selectKeys = (db: Db, accountId: string): Promise<KeySummary[]> =>
  db
    .selectFrom('api_keys')
    .select(keySummary)
    .where('account_id', '=', accountId)
    .where('expires_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Those of the account's keys that have these ids, in no particular order. */
export const selectKeysOf = async (db: Db, accountId: string, ids: readonly string[]): Promise<KeySummary[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('api_keys')
        .select(keySummary)
        .where('account_id', '=', accountId)
        .where('expires_at', 'is', null)
        .where('id', 'in', ids)
        .execute();

export const selectKey = (db: Db, id: string): Promise<KeySummary | undefined> =>
  db.selectFrom('api_keys').select(keySummary).where('id', '=', id).executeTakeFirst();

/** Revokes the key and says what it was; null when there is none or it is revoked already. */
export async function setRevoked(db: Db, id: string, now: number): Promise<'lasting' | 'passing' | null> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('expires_at')
    .executeTakeFirst();
  if (revoked === undefined) return null;
  return revoked.expires_at === null ? 'lasting' : 'passing';
}

/** Forgets passing keys whose time is over. */
export async function deleteExpiredKeys(db: Db, now: number): Promise<void> {
  await db.deleteFrom('api_keys').where('expires_at', '<=', now).execute();
}
