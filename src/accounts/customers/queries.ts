import { sql } from 'kysely';
import type { Db } from '../queries.ts';
import { monthsOf } from './months.ts';

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

/** What an account used in a month, or in the days of it that were asked for. */
export interface MonthlySends {
  readonly account_id: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly type: string;
  readonly n: number;
}

export interface MonthlyNumberDays {
  readonly account_id: string;
  readonly month: string;
  readonly n: number;
}

interface Days {
  readonly from: string;
  readonly to: string;
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

const monthOf = sql<string>`substr(day, 1, 7)`;

/** Accepted sends of these accounts by month and type. */
export async function sumSends(db: Db, accountIds: readonly string[], { from, to }: Days): Promise<MonthlySends[]> {
  const rows = await db
    .selectFrom('usage_sends')
    .select((eb) => ['account_id', monthOf.as('month'), 'type', eb.fn.sum('count').as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['account_id', monthOf, 'type'])
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/**
 * Number-days of these accounts by month. Each month of an account is counted as a range of the primary key: grouping by a part of the day would
 * sort every single number-day first, of which there are millions in a year.
 */
export async function sumNumberDays(db: Db, accountIds: readonly string[], { from, to }: Days): Promise<MonthlyNumberDays[]> {
  const months = sql.join(monthsOf(from, to).map((month) => sql`(${month}, ${later(from, `${month}-01`)}, ${sooner(to, `${month}-31`)})`));
  const { rows } = await sql<{ account_id: string; month: string; n: unknown }>`
    select accounts.id as account_id, months.column1 as month, (
      select count(*) from usage_number_days as used
      where used.account_id = accounts.id and used.day >= months.column2 and used.day <= months.column3
    ) as n
    from accounts cross join (values ${months}) as months where accounts.id in (${sql.join(accountIds)})`.execute(db);
  return rows.flatMap(({ n, ...row }) => (Number(n) === 0 ? [] : [{ ...row, n: Number(n) }]));
}

// Days as texts are in the order of the days.
const later = (one: string, other: string): string => (one > other ? one : other);
const sooner = (one: string, other: string): string => (one < other ? one : other);
