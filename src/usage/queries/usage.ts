import type { Db } from '../../store/index.ts';
import type { Days } from '../months.ts';

interface SendsOfType {
  readonly account_id: string;
  readonly type: string;
  readonly n: number;
}

/** An account as a row of the usage of many. */
export interface UsingAccount {
  readonly id: string;
  readonly name: string;
  readonly reference: string | null;
  readonly provider_id: string;
  readonly provider_name: string;
  readonly status: 'active' | 'suspended';
  readonly operator: number;
  readonly free_slots: number | null;
  readonly instance_limit: number | null;
  readonly trial_used: number;
  readonly plan_name: string | null;
  readonly plan_instance_limit: number | null;
  readonly messages_per_minute: number | null;
  readonly trial_message_limit: number | null;
}

/** Accounts with the terms that their use is measured by, oldest first; null: of all providers. */
export function selectUsingAccounts(db: Db, providerIds: readonly string[] | null): Promise<UsingAccount[]> {
  let query = db
    .selectFrom('accounts')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .leftJoin('plans', 'plans.id', 'accounts.plan_id')
    .leftJoin('account_references', 'account_references.account_id', 'accounts.id')
    .select([
      'accounts.id',
      'accounts.name',
      'account_references.reference',
      'accounts.provider_id',
      'providers.name as provider_name',
      'accounts.status',
      'accounts.operator',
      'accounts.free_slots',
      'accounts.instance_limit',
      'accounts.trial_used',
      'plans.name as plan_name',
      'plans.instance_limit as plan_instance_limit',
      'plans.messages_per_minute',
      'plans.trial_message_limit',
    ]);
  if (providerIds !== null) query = query.where('accounts.provider_id', 'in', providerIds);
  return query.orderBy('accounts.created_at').orderBy('accounts.id').execute();
}

/** How many numbers each of these accounts has; those without any are absent. */
export async function countNumbersOf(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('instances')
    .select((eb) => ['account_id', eb.fn.countAll().as('n')])
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, n }) => [account_id, Number(n)]));
}

export const selectSends = async (db: Db, accountId: string, from: string, to: string) =>
  db
    .selectFrom('usage_sends')
    .select(['day', 'type', 'count'])
    .where('account_id', '=', accountId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('type')
    .execute();

/** Whether a send of the account was ever accepted, and a number of it ever seen connected. */
export async function selectEverUsed(db: Db, accountId: string): Promise<{ sent: boolean; connected: boolean }> {
  const send = await db.selectFrom('usage_sends').select('day').where('account_id', '=', accountId).limit(1).executeTakeFirst();
  const number = await db.selectFrom('usage_number_days').select('day').where('account_id', '=', accountId).limit(1).executeTakeFirst();
  return { sent: send !== undefined, connected: number !== undefined };
}

export const countNumberDays = async (db: Db, accountId: string, from: string, to: string): Promise<{ day: string; n: number }[]> =>
  (
    await db
      .selectFrom('usage_number_days')
      .select((eb) => ['day', eb.fn.countAll().as('n')])
      .where('account_id', '=', accountId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .groupBy('day')
      .execute()
  ).map(({ day, n }) => ({ day, n: Number(n) }));

/** Accepted sends of these accounts in these days, by type. */
export async function sendsIn(db: Db, accountIds: readonly string[], { from, to }: Days): Promise<SendsOfType[]> {
  const rows = await db
    .selectFrom('usage_sends')
    .select((eb) => ['account_id', 'type', eb.fn.sum('count').as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['account_id', 'type'])
    .execute();
  // A sum is text on PostgreSQL.
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Number-days of these accounts in these days; those without any are absent. */
export async function numberDaysIn(
  db: Db,
  accountIds: readonly string[],
  { from, to }: Days,
): Promise<{ account_id: string; n: number }[]> {
  const rows = await db
    .selectFrom('usage_number_days')
    .select((eb) => ['account_id', eb.fn.countAll().as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('account_id')
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Accepted sends of these accounts in whole months, by type. */
export function sendsByMonth(
  db: Db,
  accountIds: readonly string[],
  months: readonly string[],
): Promise<(SendsOfType & { month: string })[]> {
  return db
    .selectFrom('usage_sends_by_month')
    .select(['account_id', 'month', 'type', 'count as n'])
    .where('account_id', 'in', accountIds)
    .where('month', 'in', months)
    .execute();
}

/** Number-days of these accounts in whole months; those without any are absent. */
export function numberDaysByMonth(
  db: Db,
  accountIds: readonly string[],
  months: readonly string[],
): Promise<{ account_id: string; month: string; n: number }[]> {
  return db
    .selectFrom('usage_number_days_by_month')
    .select(['account_id', 'month', 'count as n'])
    .where('account_id', 'in', accountIds)
    .where('month', 'in', months)
    .execute();
}
